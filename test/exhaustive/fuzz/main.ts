// Sends hostile requests to the graph: `npm run fuzz -- --requests 20000 --seed 1`. To repeat the request of a finding, pass its seed and `--requests 1`.
import '../../../scripts/help.ts';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

/** Both limits are far above the usual values, because the machine is shared and the graph fills its caches. */
const MAX_SLOWDOWN = 5;
const MAX_HEAP_GROWTH_MB = 300;

const { values } = parseArgs({ options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string' } } });
const requests = Number(values.requests);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) throw new Error('--requests and --seed must be whole numbers.');

console.log(`${requests} requests from seed ${seed}`);
const startedAt = performance.now();
const { findings, unhandled, slowdown, heapGrowthMb, slowestMs, statuses, codes } = await fuzz({ requests, seed });
console.log(`in ${Math.round((performance.now() - startedAt) / 1000)} s; the slowest took ${Math.round(slowestMs)} ms`);
console.log('statuses', statuses);
console.log('codes', codes);
console.log(`a fixed query takes ${slowdown.toFixed(2)} times as long as before; the heap has grown by ${heapGrowthMb.toFixed(0)} MB`);
for (const finding of findings) console.error(finding);
for (const error of unhandled) console.error(`Unhandled: ${error}`);
console.log(`${findings.length} findings, ${unhandled.length} unhandled errors`);
const hasSuffered = slowdown > MAX_SLOWDOWN || heapGrowthMb > MAX_HEAP_GROWTH_MB;
if (hasSuffered)
  console.error(`The server is not as it was: expected at most ${MAX_SLOWDOWN} times as long, and ${MAX_HEAP_GROWTH_MB} MB more.`);
process.exitCode = findings.length + unhandled.length === 0 && !hasSuffered ? 0 : 1;
