// Measures the graph, a baseline, the graph without its optimizations, and peers, all on the same upstream: `npm run bench`. Only the ratios of concurrent
// measurements are meaningful, because machines differ and are shared. `--short` checks responses and calls, sequentially and under a brief load, but no
// ratios. `--before <checkout>` also measures the graph of another checkout, as `graph-before`: `--servers graph-before,graph --processes 6 --seconds 0.5`.
// `--loads`, `--servers`, and `--work` select some by name, separated by commas. `--processes` sets how many processes of each server are measured, and
// `--rounds` and `--seconds` how often and how long each of them. `--json <file>` writes all measurements, `--profiles <folder>` CPU profiles, and `--write` the tables of docs/performance.md.
import '../scripts/help.ts';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Comparison, compare, type RunningServer } from './compare.ts';
import { LOADS, type Load, SHORT } from './loads.ts';
import { sendRequest } from './measure.ts';
import { formatGrowth, formatPeers, formatThreads } from './peerTable.ts';
import { type ServerProcess, startServer, stop, stopAll } from './processes.ts';
import { formatLedgerRatios, formatMeasurements, formatShort, formatStarts, listFaults, type Measurement } from './report.ts';
import { checkAll, measureAll } from './rounds.ts';
import { listServers, PACKAGED, type ServerConfig } from './servers.ts';
import { startSignIn } from './signIn.ts';
import { measureStartup, type StartupTimes } from './start.ts';
import { formatTargets } from './targets.ts';
import { serializeSettings, startUpstream, type Upstream } from './upstream.ts';
import { WORK } from './work.ts';
import { writeTables } from './writeTables.ts';

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    processes: { type: 'string', default: '3' },
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
function selectByName<Named extends { readonly name: string }>(all: readonly Named[], names: readonly string[] | undefined): Named[] {
  if (!names) return [...all];
  const unknown = names.find((name) => !all.some((each) => each.name === name));
  if (unknown) throw new Error(`Unknown name ${unknown}. Use one of ${all.map(({ name }) => name).join(', ')}.`);
  return all.filter(({ name }) => names.includes(name));
}

const parseNames = (option: string) => (option ? option.split(',') : undefined);

const [FIRST] = WORK.flatMap(({ requests }) => requests);
if (!FIRST) throw new Error('No work is defined.');

const isUp = async (url: string) => (await sendRequest(url, FIRST)).data !== undefined;

const TRACE_SINK = [process.execPath, fileURLToPath(new URL('traceSink.ts', import.meta.url))];

/** The receiver of traces, which starts with the first server that exports some. */
let sink: Promise<ServerProcess> | undefined;
const startSink = () => startServer('upstream', TRACE_SINK, {}, async (url) => (await fetch(url)).ok);

/** Starts servers. Skips peers that fail to start. */
async function startAll(configs: readonly ServerConfig[], { env }: Upstream, keys: number): Promise<RunningServer[]> {
  const running: RunningServer[] = [];
  const signIn = configs.some(({ isSignedIn }) => isSignedIn) ? await startSignIn(keys) : null;
  for (const config of configs) {
    if (config.isTraced) sink ??= startSink();
    const { env: signInEnv = {}, tokens } = (config.isSignedIn && signIn) || {};
    const traces = config.isTraced && sink && { OTEL_EXPORTER_OTLP_ENDPOINT: (await sink).url };
    try {
      const server = await startServer('server', config.command, { ...config.env, ...env, ...signInEnv, ...traces }, isUp);
      running.push({ config, tokens, server });
    } catch (error) {
      if (config.kind !== 'peer') throw error;
      console.error(`Skipping ${config.name}: ${error}`);
    }
  }
  return running;
}

/** Measures a load with one process of each server. */
async function measureProcesses(upstream: Upstream, load: Load): Promise<Measurement[]> {
  const all = listServers(options.profiles, !options.short, options.before);
  const configs = parseNames(options.servers)
    ? selectByName(all, parseNames(options.servers))
    : all.filter(({ name, isExtra }) => load.servers?.includes(name) ?? !isExtra);
  const running = await startAll(configs, upstream, load.keys);
  const works = selectByName(WORK, parseNames(options.work) ?? load.work);
  const comparisons = new Map<string, Comparison>();
  for (const work of [...works, ...WORK.filter(({ name }) => name === load.background)]) {
    const compared = await compare(running, upstream.stub, work);
    comparisons.set(work.name, compared);
    const calls = [...compared.calls].map(([name, count]) => `${name} ${count}`).join(', ');
    console.error(`${work.name}: equal responses; upstream calls: ${calls}`);
  }
  const test = { running, upstream, works, load, comparisons };
  const results = await (options.short
    ? checkAll(test, SHORT_SECONDS * 1000)
    : measureAll(test, Number(options.rounds), Number(options.seconds)));
  // Processes that write profiles have to exit cleanly.
  for (const { server } of running) await stop(server, options.profiles ? 'SIGINT' : 'SIGKILL');
  return results;
}

/** Measures a load with several processes of each server, one after another, so that no more memory is required than for one of each. */
async function measureLoad(upstream: Upstream, load: Load): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  const count = options.short ? 1 : Number(options.processes);
  for (let index = 0; index < count; index += 1) measured.push(...(await measureProcesses(upstream, load)));
  const results = [...Map.groupBy(measured, ({ work, server }) => `${work} ${server}`).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, processes: [first, ...others].flatMap(({ processes }) => processes) }] : [],
  );
  if (!options.short) console.error(`\n${load.name}: ${load.description}\n\n${formatMeasurements(results)}\n`);
  return results;
}

/** Measures the startup time of the servers. */
async function measureStarts(upstream: Upstream): Promise<StartupTimes[]> {
  const starts: StartupTimes[] = [];
  const all = listServers();
  const defaults = ['floor', 'graph', ...all.map(({ name }) => name).filter((name) => name === PACKAGED)];
  for (const config of selectByName(all, parseNames(options.servers) ?? defaults)) {
    starts.push(await measureStartup(config, upstream.stub, FIRST as (typeof WORK)[0]['requests'][0], STARTS));
  }
  console.error(`\n${formatStarts(starts)}\n`);
  return starts;
}

/** The loads to run, grouped by upstream. */
function selectLoads(): Load[][] {
  const defaults = LOADS.filter(({ isExtra, isGrowth }) => !isExtra && (!isGrowth || options.write));
  const loads = options.short ? [SHORT] : options.loads ? selectByName(LOADS, parseNames(options.loads)) : defaults;
  return [...Map.groupBy(loads, serializeSettings).values()];
}

/** Prints the results of a valid run. */
function printResults(measured: readonly Measurement[], starts: readonly StartupTimes[]): void {
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ node: process.version, options, measured, starts }, null, 1)}\n`);
  if (options.short) {
    console.log(formatShort(measured));
    return;
  }
  console.log(`${formatMeasurements(measured)}\n`);
  if (starts.length > 0) console.log(`${formatStarts(starts)}\n`);
  const [peers, threads, growth] = [formatPeers(measured), formatThreads(measured), formatGrowth(measured)];
  const bars = [formatTargets(measured, starts), formatLedgerRatios(measured)].filter(Boolean).join('\n\n');
  console.log([peers, threads, growth, bars].filter(Boolean).join('\n\n'));
  if (options.write) writeTables({ peers, threads, growth, bars });
}

async function bench(): Promise<void> {
  const measured: Measurement[] = [];
  const starts: StartupTimes[] = [];
  for (const loads of selectLoads()) {
    const [first] = loads;
    if (!first) continue;
    const upstream = await startUpstream(first);
    const [timed, started] = [loads.filter(({ isStart }) => !isStart), loads.filter(({ isStart }) => isStart)];
    for (const load of timed) measured.push(...(await measureLoad(upstream, load)));
    if (started.length > 0) starts.push(...(await measureStarts(upstream)));
    await stop(upstream.stub);
  }
  const faults = listFaults(measured);
  if (faults.length === 0) return printResults(measured, starts);
  console.error(`The run is invalid; discard its numbers:\n${faults.join('\n')}`);
  process.exitCode = 1;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stopAll().then(() => process.exit(1)));
try {
  await bench();
} finally {
  await stopAll();
}
