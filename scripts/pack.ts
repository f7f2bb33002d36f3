// Creates the npm package: `npm run pack` builds it in build/workspace-graph, and packs it as build/workspace-graph-<version>.tgz. Prints the path of that file.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packServer } from './pack/server.ts';

const { values } = parseArgs({ options: { to: { type: 'string', default: 'build' } } });
const target = resolve(values.to);
console.log(await packServer(target));
