// Preloaded into a monitored graph. Responds to each message of the parent process with the heap size in bytes, after garbage collection.
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
// The channel to the parent must not keep the graph's process alive.
process.channel?.unref();
