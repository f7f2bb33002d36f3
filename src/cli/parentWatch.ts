/** Time between two looks at the parent. Ours: soon enough for a port to be free again, and nothing to a processor. */
const LOOK_MS = 1_000;

/**
 * Ends this process, in good order, when the shell of npx has gone. npm passes a SIGTERM on to that shell alone, which ends and leaves the program behind. Under any other
 * parent nothing is watched: it may leave on purpose, as may a script that puts the program into the background.
 */
export function endWithNpx({
  npm_lifecycle_event: event,
  npm_lifecycle_script: script = '',
}: Readonly<Record<string, string | undefined>>): void {
  if (event !== 'npx' || script.includes('&')) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}
