// Measures the graph, a baseline, the graph without its optimizations, and peers, all on the same upstream: `npm run bench`. Only the ratios of concurrent
// measurements are meaningful, because machines differ and are shared. `--short` checks responses and calls, sequentially and under a brief load, but no
// ratios. `--before <checkout>` also measures the graph of another checkout, as `graph-before`: `--servers graph-before,graph --rounds 20 --seconds 0.5`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { barsOf } from './bars.ts';
import { type Compared, compare, type Running } from './compare.ts';
import { LOADS, type Load, SHORT } from './loads.ts';
import { ask } from './measure.ts';
import { end, endAll, serve } from './processes.ts';
import { faultsOf, ledgerOf, type Measured, markdownOf, shortOf, startsOf } from './report.ts';
import { checkAll, measureAll } from './rounds.ts';
import { type Contestant, contestants } from './servers.ts';
import { type Start, startOf } from './start.ts';
import { settingsOf, startUpstream, type Upstream } from './upstream.ts';
import { WORK } from './work.ts';
import { writeBars } from './writeBars.ts';

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    work: { type: 'string', default: '' },
    loads: { type: 'string', default: '' },
    servers: { type: 'string', default: '' },
    json: { type: 'string', default: '' },
    profiles: { type: 'string', default: '' },
    before: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});

/** Chosen: after this time, `--short` only compares responses, so that it takes a minute and a half on a slow machine. */
const SHORT_SECONDS = 70;
/** Number of starts of each server, of which the median is reported. Chosen. */
const STARTS = 5;

/** Selects items by name. Selects all if there are no names. */
function chosen<Named extends { readonly name: string }>(all: readonly Named[], names: readonly string[] | undefined): Named[] {
  if (!names) return [...all];
  const unknown = names.find((name) => !all.some((each) => each.name === name));
  if (unknown) throw new Error(`Unknown name ${unknown}. Use one of ${all.map(({ name }) => name).join(', ')}.`);
  return all.filter(({ name }) => names.includes(name));
}

const namesIn = (option: string) => (option ? option.split(',') : undefined);

const [FIRST] = WORK.flatMap(({ requests }) => requests);
if (!FIRST) throw new Error('No work is defined.');

const isUp = async (url: string) => (await ask(url, FIRST)).data !== undefined;

const TRACE_SINK = [process.execPath, fileURLToPath(new URL('traceSink.ts', import.meta.url))];

/** Starts servers. Skips peers that fail to start. */
async function startAll(taking: readonly Contestant[], { env }: Upstream): Promise<Running[]> {
  const running: Running[] = [];
  const sink = taking.some(({ isTraced }) => isTraced)
    ? await serve('upstream', TRACE_SINK, {}, async (url) => (await fetch(url)).ok)
    : null;
  for (const contestant of taking) {
    const own = { ...contestant.env, ...env, ...(sink && contestant.isTraced && { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url }) };
    try {
      running.push({ contestant, server: await serve('server', contestant.command, own, isUp) });
    } catch (error) {
      if (contestant.kind !== 'peer') throw error;
      console.error(`Skipping ${contestant.name}: ${error}`);
    }
  }
  return running;
}

/** Measures all loads of an upstream. */
async function measureOn(upstream: Upstream, loads: readonly Load[]): Promise<Measured[]> {
  const all = contestants(options.profiles, !options.short, options.before);
  const usual = all.filter(({ isExtra }) => !isExtra).map(({ name }) => name);
  const named = loads.flatMap(({ servers }) => servers ?? usual);
  const taking = namesIn(options.servers) ? chosen(all, namesIn(options.servers)) : all.filter(({ name }) => named.includes(name));
  const running = await startAll(taking, upstream);
  const known = new Map<string, Compared>();
  const measured: Measured[] = [];
  for (const load of loads) {
    const works = chosen(WORK, namesIn(options.work) ?? load.work);
    for (const work of [...works, ...WORK.filter(({ name }) => name === load.beside)]) {
      if (known.has(work.name)) continue;
      const compared = await compare(running, upstream.standIn, work);
      known.set(work.name, compared);
      const calls = [...compared.calls].map(([name, count]) => `${name} ${count}`).join(', ');
      console.error(`${work.name}: equal responses; upstream calls: ${calls}`);
    }
    const asked = namesIn(options.servers) ?? load.servers ?? usual;
    const loaded = running.filter(({ contestant: { name } }) => asked.includes(name));
    const trial = { running: loaded, upstream, works, load, known };
    const found = await (options.short
      ? checkAll(trial, SHORT_SECONDS * 1000)
      : measureAll(trial, Number(options.rounds), Number(options.seconds)));
    measured.push(...found);
    if (!options.short) console.error(`\n${load.name}: ${load.description}\n\n${markdownOf(found)}\n`);
  }
  // Processes that write profiles have to exit cleanly.
  for (const { server } of running) await end(server, options.profiles ? 'SIGINT' : 'SIGKILL');
  return measured;
}

/** Measures the startup time of the servers. */
async function measureStarts(upstream: Upstream): Promise<Start[]> {
  const starts: Start[] = [];
  for (const contestant of chosen(contestants(), namesIn(options.servers) ?? ['floor', 'graph'])) {
    starts.push(await startOf(contestant, upstream.standIn, FIRST as (typeof WORK)[0]['requests'][0], STARTS));
  }
  console.error(`\n${startsOf(starts)}\n`);
  return starts;
}

/** The loads to run, grouped by upstream. */
function chosenLoads(): Load[][] {
  const usual = LOADS.filter(({ isExtra }) => !isExtra);
  const loads = options.short ? [SHORT] : options.loads ? chosen(LOADS, namesIn(options.loads)) : usual;
  return [...Map.groupBy(loads, settingsOf).values()];
}

/** Prints the results of a valid run. */
function tell(measured: readonly Measured[], starts: readonly Start[]): void {
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ node: process.version, options, measured, starts }, null, 1)}\n`);
  if (options.short) {
    console.log(shortOf(measured));
    return;
  }
  console.log(`${markdownOf(measured)}\n`);
  if (starts.length > 0) console.log(`${startsOf(starts)}\n`);
  const tables = [barsOf(measured, starts), ledgerOf(measured)].filter(Boolean).join('\n\n');
  console.log(tables);
  if (options.write) writeBars(tables);
}

async function bench(): Promise<void> {
  const measured: Measured[] = [];
  const starts: Start[] = [];
  for (const loads of chosenLoads()) {
    const [first] = loads;
    if (!first) continue;
    const upstream = await startUpstream(first);
    const [timed, started] = [loads.filter(({ isStart }) => !isStart), loads.filter(({ isStart }) => isStart)];
    if (timed.length > 0) measured.push(...(await measureOn(upstream, timed)));
    if (started.length > 0) starts.push(...(await measureStarts(upstream)));
    await end(upstream.standIn);
  }
  const faults = faultsOf(measured);
  if (faults.length === 0) return tell(measured, starts);
  console.error(`The run is invalid; discard its numbers:\n${faults.join('\n')}`);
  process.exitCode = 1;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void endAll().then(() => process.exit(1)));
try {
  await bench();
} finally {
  await endAll();
}
