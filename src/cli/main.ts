#!/usr/bin/env node
// The program of the package, `workspace-graph`. The version of Node is checked before anything is loaded that an older one cannot load.
import { refusalOfNode } from './nodeVersion.ts';

const refusal = refusalOfNode(process.versions.node);
if (refusal) {
  console.error(refusal);
  process.exit(1);
}
const { endWithNpx } = await import('./parentWatch.ts');
endWithNpx(process.env);
const { runCommand } = await import('./commands.ts');
await runCommand(process.argv.slice(2));
