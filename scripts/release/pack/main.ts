// Creates the npm packages: `npm run pack` builds them in build/workspace-graph and build/workspace-graph-client, and packs each as build/<name>-<version>.tgz.
// Prints the paths of these files.
// With `--to <folder>`, uses another folder than build.
import '../../help.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packClient } from './client.ts';
import { packServer } from './server.ts';

const { values } = parseArgs({ options: { to: { type: 'string', default: 'build' } } });
const target = resolve(values.to);
console.log(await packServer(target));
console.log(await packClient(target));
