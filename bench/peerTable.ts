// What a user gains: the CPU time of the graph relative to each peer, and how it grows.
import { LOADS } from './loads.ts';
import { computeMedian, estimate, estimateRatio, findRow, formatEstimate, formatNumber, formatTable, type Measurement } from './report.ts';
import { PEERS, toBestClientName } from './servers.ts';

const LOAD = 'apart';
const PEER_WORK = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Names of the peers as their projects write them. */
const TITLES: Readonly<Record<string, string>> = {
  apollo: 'Apollo Server',
  mercurius: 'Mercurius',
  grafserv: 'Grafserv',
  hive: 'Hive Gateway',
  tailcall: 'Tailcall',
};

/** A table of the graph's CPU time per request relative to each peer, and of everyone's memory. Empty if no peer was measured. */
export function formatPeers(measured: readonly Measurement[]): string {
  const find = (server: string, work: string) => findRow(measured, { load: LOAD, work, server });
  const getMemory = (server: string) =>
    Math.max(...PEER_WORK.map((work) => computeMedian(find(server, work), 'rssMb')).filter(Number.isFinite));
  const formatRatio = (server: string, work: string) =>
    formatEstimate(estimateRatio(find('graph', work), find(server, work), 'cpuMsPerRequest'));
  const createRow = (server: string, title: string) => [
    title,
    ...PEER_WORK.map((work) => formatRatio(server, work)),
    formatNumber(getMemory(server)),
  ];
  const rows = PEERS.flatMap(({ name, isNode }) => {
    const title = TITLES[name] ?? name;
    return [createRow(name, title), ...(isNode ? [createRow(toBestClientName(name), `${title}, with the fastest client`)] : [])];
  }).filter((row) => row.slice(1).some((cell) => cell !== '-'));
  if (rows.length === 0) return '';
  const graph = ['Workspace Graph itself', ...PEER_WORK.map(() => formatNumber(1)), formatNumber(getMemory('graph'))];
  return formatTable(['CPU of the graph relative to', ...PEER_WORK, 'RSS, MB'], [...rows, graph]);
}

/** Work whose results live long enough that V8's other threads take a part of the CPU time: they collect garbage. */
const THREAD_WORK = ['d', 'n100', 'n1000'];

/** A table of CPU time by thread, with that of the graph relative to each server. Empty if none of the work was measured. */
export function formatThreads(measured: readonly Measurement[]): string {
  const rows = THREAD_WORK.flatMap((work) => {
    const graph = findRow(measured, { load: LOAD, work, server: 'graph' });
    const servers = measured.filter((row) => row.load === LOAD && row.work === work && row !== graph);
    return [...(graph ? [graph] : []), ...servers].map((row) => [
      work,
      row === graph ? 'Workspace Graph' : (TITLES[row.server] ?? row.server),
      formatEstimate(estimate([row], ({ mainCpuMsPerRequest }) => mainCpuMsPerRequest)),
      formatEstimate(estimate([row], ({ cpuMsPerRequest, mainCpuMsPerRequest }) => cpuMsPerRequest - mainCpuMsPerRequest)),
      ...(['mainCpuMsPerRequest', 'cpuMsPerRequest'] as const).map((figure) =>
        row === graph ? formatNumber(1) : formatEstimate(estimateRatio(graph, row, figure)),
      ),
      formatNumber(computeMedian(row, 'rssMb')),
    ]);
  });
  if (rows.length === 0) return '';
  const head = [
    'Work',
    'Server',
    'Main thread, ms',
    'Other threads, ms',
    'Main thread of the graph relative to it',
    'All threads',
    'RSS, MB',
  ];
  return formatTable(head, rows);
}

/** A table of how the graph's costs grow with clients and API keys, alone and relative to each peer. Empty if no such load was measured. */
export function formatGrowth(measured: readonly Measurement[]): string {
  const peers = PEERS.filter(({ name }) => measured.some(({ server }) => server === name));
  const rows = LOADS.filter(({ isGrowth }) => isGrowth).flatMap(({ name, connections, keys }) => {
    const find = (server: string) => findRow(measured, { load: name, work: 'a', server });
    const graph = find('graph');
    if (!graph) return [];
    const costs = (['cpuMsPerRequest', 'p99Ms', 'rssMb'] as const).map((figure) => computeMedian(graph, figure));
    const ratios = ['floor', ...peers.map((peer) => peer.name)].map((server) => estimateRatio(graph, find(server), 'cpuMsPerRequest'));
    return [[...[connections, keys].map(String), ...costs.map(formatNumber), ...ratios.map(formatEstimate)]];
  });
  if (rows.length === 0) return '';
  const titles = ['the floor', ...peers.map(({ name }) => TITLES[name] ?? name)];
  return formatTable(['Clients', 'API keys', 'CPU, ms', 'p99, ms', 'RSS, MB', ...titles.map((title) => `CPU relative to ${title}`)], rows);
}
