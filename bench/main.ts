// Measures the graph beside a bare handler, beside itself without its fast parts, and beside its peers, on the same upstream: `npm run
// bench`. Machines differ and are shared, so what counts is the ratio of what ran side by side. `--short` only compares answers and calls.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { ask, type Cell, callsOf, type Load, measure } from './measure.ts';
import { endAll, type Served, serve } from './processes.ts';
import { type Measured, markdownOf } from './report.ts';
import { type Contestant, contestants } from './servers.ts';
import { WORK, type Work } from './work.ts';

const LOADS: readonly Load[] = [
  { name: 'apart', description: '32 connections, nobody shares a key', connections: 32, keys: 64, latencyMs: 0 },
  { name: 'together', description: '32 connections, one key', connections: 32, keys: 1, latencyMs: 0 },
  { name: 'alone', description: '1 connection', connections: 1, keys: 1, latencyMs: 0 },
  { name: 'far', description: '1 connection, upstream 10 ms away', connections: 1, keys: 1, latencyMs: 10 },
  { name: 'far together', description: '32 connections, one key, upstream 10 ms away', connections: 32, keys: 1, latencyMs: 10 },
  { name: 'sandbox', description: '1 connection, the sandbox itself', connections: 1, keys: 1, latencyMs: 0, isSandbox: true },
];

/** What an upstream is started with. */
const upstreamOf = ({ latencyMs, isSandbox }: Load) =>
  JSON.stringify({ LATENCY_MS: String(latencyMs), ...(isSandbox && { STAND_IN: 'off' }) });

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    work: { type: 'string', default: '' },
    loads: { type: 'string', default: '' },
    servers: { type: 'string', default: '' },
    json: { type: 'string', default: '' },
  },
});

/** The ones that an option names; all without it. */
function chosen<Named extends { readonly name: string }>(all: readonly Named[], names: string): Named[] {
  const wanted = names ? names.split(',') : all.map(({ name }) => name);
  const unknown = wanted.find((name) => !all.some((each) => each.name === name));
  if (unknown) throw new Error(`There is no ${unknown}: choose of ${all.map(({ name }) => name).join(', ')}.`);
  return all.filter(({ name }) => wanted.includes(name));
}

const [FIRST] = WORK;

const isUp = async (url: string) =>
  FIRST !== undefined && (await ask(url, FIRST.requests[0] ?? { query: '', variables: {} })).data !== undefined;

const startUpstream = (env: Readonly<Record<string, string>>) =>
  serve(
    'rest',
    [process.execPath, fileURLToPath(new URL('standIn.ts', import.meta.url))],
    env,
    async (url) => (await fetch(`${url}/counts`)).ok,
  );

const start = ({ command, env }: Contestant, upstream: Served) => serve('server', command, { ...env, UPSTREAM_URL: upstream.url }, isUp);

interface Running {
  readonly contestant: Contestant;
  readonly server: Served;
}

/** Compares the answers of all servers, and the calls of those that are ours, before anything is timed. */
async function compare(running: readonly Running[], upstream: Served, work: Work): Promise<void> {
  for (const request of work.requests) {
    let expected: unknown;
    for (const { contestant, server } of running.filter(({ contestant: { does } }) => does(work))) {
      // What is asked for the first time may take more.
      await ask(server.url, request);
      const before = await callsOf(upstream);
      const { data, errors } = await ask(server.url, request);
      const calls = (await callsOf(upstream)) - before;
      if (errors || !data) throw new Error(`${contestant.name} answered ${work.name} with no data, or an error: ${errors?.[0]?.message}`);
      expected ??= data;
      if (!isDeepStrictEqual(data, expected)) {
        const [here, there] = [JSON.stringify(data), JSON.stringify(expected)];
        const at = [...here].findIndex((character, index) => character !== there[index]);
        const around = (text: string) => text.slice(Math.max(0, at - 100), at + 100);
        throw new Error(`${contestant.name} answers ${work.name} otherwise: ${around(here)}, not ${around(there)}`);
      }
      if (contestant.isOurs && calls !== work.calls)
        throw new Error(`${contestant.name} made ${calls} upstream calls for ${work.name}; ${work.calls} are needed.`);
    }
  }
}

/** Each round measures all servers, another one first each time. */
async function measureAll(running: readonly Running[], upstream: Served, work: Work, load: Load): Promise<Measured[]> {
  const rounds = Number(options.rounds);
  const able = running.filter(({ contestant: { does } }) => does(work));
  const cells = new Map<string, Cell[]>(able.map(({ contestant: { name } }) => [name, []]));
  for (const { server } of able) await measure(server, upstream, work, load, 2);
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < able.length; index += 1) {
      const { contestant, server } = able[(index + round) % able.length] as Running;
      cells.get(contestant.name)?.push(await measure(server, upstream, work, load, Number(options.seconds)));
    }
  }
  return [...cells].map(([server, measured]) => ({ work: work.name, load: load.name, server, cells: measured }));
}

async function bench(): Promise<void> {
  const works = chosen(WORK, options.work);
  const taking = chosen(contestants(), options.servers);
  const loads = options.short ? LOADS.slice(0, 1) : chosen(LOADS, options.loads);
  const measured: Measured[] = [];
  for (const settings of new Set(loads.map(upstreamOf))) {
    const upstream = await startUpstream(JSON.parse(settings));
    const running: Running[] = [];
    for (const contestant of taking) {
      try {
        running.push({ contestant, server: await start(contestant, upstream) });
      } catch (error) {
        if (contestant.isOurs) throw error;
        console.error(`${contestant.name} is left out: ${error}`);
      }
    }
    for (const work of works) {
      await compare(running, upstream, work);
      console.error(`${work.name}: equal answers of ${running.filter(({ contestant: { does } }) => does(work)).length} servers`);
      if (options.short) continue;
      for (const load of loads.filter((each) => upstreamOf(each) === settings)) {
        const found = await measureAll(running, upstream, work, load);
        measured.push(...found);
        console.error(markdownOf(found));
      }
    }
    endAll();
  }
  if (options.short) return;
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ node: process.version, options, measured }, null, 1)}\n`);
  console.log(markdownOf(measured));
}

try {
  await bench();
} finally {
  endAll();
}
