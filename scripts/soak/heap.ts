// Loaded into a graph under watch: answers each message of its parent with what its heap holds, in bytes, once garbage is collected.
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
// The channel to the parent must not keep the graph's process alive.
process.channel?.unref();
