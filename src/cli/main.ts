#!/usr/bin/env node
// Entry point of the package's program, `workspace-graph`. Checks the version of Node.js before it imports modules that an older one can't load.
import { checkNodeVersion } from './nodeVersion.ts';

const problem = checkNodeVersion(process.versions.node);
if (problem) {
  console.error(problem);
  process.exit(1);
}
const { exitWithNpx: endWithNpx } = await import('./parentWatch.ts');
endWithNpx(process.env);
const { runCommand } = await import('./commands.ts');
await runCommand(process.argv.slice(2));
