// Preloaded by a graph whose event loop a test observes: responds to each message with the CPU time of the longest iteration since the last message, in milliseconds.
const readCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let longest = 0;
let last = readCpuMs();

/** Called in each iteration, which it doesn't cause. */
function onIteration(): void {
  const now = readCpuMs();
  longest = Math.max(longest, now - last);
  last = now;
  setImmediate(onIteration).unref();
}
onIteration();

process.on('message', () => {
  process.send?.(longest);
  longest = 0;
});
// The connection to the test doesn't keep the graph running.
process.channel?.unref();
