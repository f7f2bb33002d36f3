#!/usr/bin/env node

// Entry point of the package's program, `workspace-graph`. Checks the version of Node.js before it imports modules that an older one can't load.
import { checkNodeVersion } from '../src/lib/nodeVersion.ts';
import { checkSignals, handleSignals } from '../src/lib/signals.ts';

/** Interval between checks of the parent process, in milliseconds. Chosen: soon enough for the port to become free again, with negligible CPU time. */
const CHECK_MS = 1_000;

/**
 * Shuts this process down if the shell of npx has exited. npm forwards SIGTERM only to that shell, which exits without stopping the program. Other parents
 * aren't watched, because they may exit on purpose, as may a script that runs the program in the background.
 */
function exitWithNpx({
  npm_lifecycle_event: event,
  npm_lifecycle_script: script = '',
}: Readonly<Record<string, string | undefined>>): void {
  if (event !== 'npx' || script.includes('&')) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_MS);
  timer.unref();
}

handleSignals();
const problem = checkNodeVersion(process.versions.node);
if (problem) {
  console.error(problem);
  process.exit(1);
}
exitWithNpx(process.env);
const { runCommand } = await import('./commands.ts');
await checkSignals();
await runCommand(process.argv.slice(2));
