import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Work } from './work.ts';

/** A server that is measured. */
export interface Contestant {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether it makes exactly the calls that are needed. */
  readonly isOurs: boolean;
  /** The work that it is given. */
  readonly does: (work: Work) => boolean;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** As deployed, but quiet: peers do not log requests either. */
const GRAPH_ENV = { LOG_LEVEL: 'warn', NODE_ENV: 'production', UPSTREAM_CALLS_PER_KEY: '128' };

const graph = (name: string, env: Readonly<Record<string, string>> = {}): Contestant => ({
  name,
  command: [process.execPath, here('../src/main.ts')],
  env: { ...GRAPH_ENV, LEDGER_URL: `file:${join(mkdtempSync(join(tmpdir(), 'bench-')), 'ledger.sqlite')}`, ...env },
  isOurs: true,
  does: () => true,
});

/** A server of bench/peers. */
interface Peer {
  readonly name: string;
  /** The names of the work that it can do. None has a ledger, which the rest of the work needs. */
  readonly does: ReadonlySet<string>;
}

const PEERS: readonly Peer[] = [
  { name: 'apollo', does: new Set('abcdef') },
  { name: 'mercurius', does: new Set('abcdef') },
  { name: 'grafserv', does: new Set('abcdef') },
  // A gateway asks for entities; it is not asked for them.
  { name: 'hive', does: new Set('abcde') },
  // It has no way to make or read a global id.
  { name: 'tailcall', does: new Set('abcef') },
];

const peer = ({ name, does }: Peer): Contestant => ({
  name,
  command: [process.execPath, here(`peers/${name}.mjs`)],
  env: { NODE_ENV: 'production' },
  isOurs: false,
  does: (work) => does.has(work.name),
});

/** All that can run here. Peers are left out until their packages are installed. */
export const contestants = (): Contestant[] => [
  { name: 'floor', command: [process.execPath, here('floor.ts')], env: {}, isOurs: true, does: ({ isOfGraphs }) => !isOfGraphs },
  graph('graph'),
  graph('plain', { SHORT_PATH: 'false', COMPILE_AFTER: '0' }),
  ...(existsSync(here('peers/node_modules')) ? PEERS.map(peer) : []),
];
