// Loaded into a graph under watch: answers each message of its parent with what its heap holds, in bytes, once garbage is collected.
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
// It is not what keeps the graph alive.
process.channel?.unref();
