import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './processes.ts';
import type { Work } from './work.ts';

/** A server that is measured. */
export interface Contestant {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly kind: 'floor' | 'graph' | 'peer';
  /** Whether it makes exactly the calls that are needed: a graph with covers makes fewer. */
  readonly isExact: boolean;
  /** The work that it is given. */
  readonly does: (work: Work) => boolean;
  /** Whether it runs only where it is named. */
  readonly isExtra?: true;
  /** Whether it exports traces. */
  readonly isTraced?: true;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** As deployed, with a ledger of its own; but quiet, since peers log no requests. With a folder for its profiles it writes one when it ends. */
const graph = (
  name: string,
  profiles: string,
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Contestant => ({
  name,
  command: [process.execPath, ...nodeOptions, ...(profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []), here('../src/main.ts')],
  env: { LOG_LEVEL: 'warn', NODE_ENV: 'production', LEDGER_URL: `file:${join(temporaryFolder(), 'ledger.sqlite')}`, ...env },
  kind: 'graph',
  isExact: env.LIST_BATCHING === 'off',
  does: () => true,
});

/** A server of bench/peers. */
interface Peer {
  readonly name: string;
  /** The names of the work that it can do. None has a ledger, which the rest of the work needs. */
  readonly does: ReadonlySet<string>;
  /** Whether it is written in JavaScript, so that its client of the upstream can be replaced. */
  readonly isNode: boolean;
}

export const PEERS: readonly Peer[] = [
  { name: 'apollo', does: new Set('abcdef'), isNode: true },
  { name: 'mercurius', does: new Set('abcdef'), isNode: true },
  { name: 'grafserv', does: new Set('abcdef'), isNode: true },
  // A gateway asks for entities; it is not asked for them.
  { name: 'hive', does: new Set('abcde'), isNode: true },
  // Without a way to make or read a global id.
  { name: 'tailcall', does: new Set('abcef'), isNode: false },
];

/** The name of a peer's row on the best client that is known for it. */
export const onBestClient = (peer: string) => `${peer}-dispatch`;

const peer = ({ name, does }: Peer, row: string, env: Readonly<Record<string, string>> = {}): Contestant => ({
  name: row,
  command: [process.execPath, here(`peers/${name}.mjs`)],
  env: { NODE_ENV: 'production', ...env },
  kind: 'peer',
  isExact: false,
  does: (work) => does.has(work.name),
});

/** Each as shipped, and those in JavaScript on the best client as well. */
const rowsOf = (each: Peer) =>
  each.isNode ? [peer(each, each.name), peer(each, onBestClient(each.name), { CLIENT: 'dispatch' })] : [peer(each, each.name)];

/** A graph that refuses nothing since the machine is busy: where nothing is timed, that would be no fault of its answers. */
const PATIENT = { MAX_EVENT_LOOP_DELAY_MS: '60000' };

/** Graphs that are watched. Nobody reads their metrics meanwhile. */
const watched = (profiles: string): Contestant[] => {
  const sdk = ['--import', here('../deploy/telemetry/start.mjs')];
  const tracing = { ADMIN_PORT: '0', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' };
  const tenth = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
  return [
    { ...graph('graph-metrics', profiles, { ADMIN_PORT: '0' }), isExtra: true },
    { ...graph('graph-traced-tenth', profiles, { ...tracing, ...tenth }, sdk), isExtra: true, isTraced: true },
    { ...graph('graph-traced', profiles, tracing, sdk), isExtra: true, isTraced: true },
  ];
};

/** All that can run here. Peers are left out until their packages are installed. `isTimed`: as deployed in every respect. */
export const contestants = (profiles = '', isTimed = true): Contestant[] => [
  {
    name: 'floor',
    command: [process.execPath, here('floor.ts')],
    env: {},
    kind: 'floor',
    isExact: true,
    does: ({ isOfGraphs }) => !isOfGraphs,
  },
  graph('graph', profiles, isTimed ? {} : PATIENT),
  graph('graph-unbatched', profiles, { LIST_BATCHING: 'off', ...(isTimed ? {} : PATIENT) }),
  graph('graph-plain', profiles, { FAST_PATH: 'false', COMPILE_AFTER: '0', ...(isTimed ? {} : PATIENT) }),
  ...watched(profiles),
  ...(existsSync(here('peers/node_modules')) ? PEERS.flatMap(rowsOf) : []),
];
