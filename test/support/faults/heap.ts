// Preloaded by a graph whose memory a test observes: responds to each message with the bytes of the heap that are in use after a garbage collection.
import { setTimeout as wait } from 'node:timers/promises';

const collect = globalThis.gc;
if (!collect) throw new Error('Start the program with --expose-gc.');

process.on('message', async () => {
  // Twice, because finalizers and the callbacks of closed sockets release more.
  for (let round = 0; round < 2; round += 1) {
    await wait(50);
    await collect({ execution: 'async', type: 'major' });
  }
  process.send?.(process.memoryUsage().heapUsed);
});
// The connection to the test doesn't keep the graph running.
process.channel?.unref();
