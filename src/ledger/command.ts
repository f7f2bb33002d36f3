import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { escapeText } from '../lib/printableText.ts';
import { connectRedis } from '../lib/redis.ts';
import { StartError } from '../lib/startup.ts';
import { createSettledDraft, isRunning, type ListableStore, type Stored } from './entry.ts';
import { matchesIdempotencyKey } from './ids.ts';
import { UNKNOWN_TTL_MS } from './ledger.ts';
import { DEFAULT_LEDGER_URL, getLedgerPath, isRedisUrl } from './ledgerUrl.ts';
import { RedisLedgerStore } from './redisStore.ts';
import { openLedgerFile } from './sqliteStore.ts';

const USAGE = `Usage:
  ledger list [--idempotency-key KEY] [--json]   List the mutations whose outcome is unknown
  ledger resolve ID --applied                    Record that the mutation was applied
  ledger resolve ID --not-applied                Record that the mutation wasn't applied

A mutation's outcome is unknown if it was sent to the upstream and no usable response was received. Its idempotency key blocks retries
until the outcome is found, for at most seven days.

Before you resolve one, check in the upstream whether the mutation was applied. After --applied, retries with its idempotency key fail
with IDEMPOTENCY_KEY_REUSED. After --not-applied, a retry sends the mutation again: if it was applied after all, it's applied twice.

Options:
  --idempotency-key KEY   Only list mutations that were sent with this idempotency key
  --json                  Print JSON
  -h, --help              Show this help

The ledger is read from LEDGER_URL. Default: ${DEFAULT_LEDGER_URL}
`;

const OPTIONS = {
  'idempotency-key': { type: 'string' },
  json: { type: 'boolean' },
  applied: { type: 'boolean' },
  'not-applied': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

interface LedgerConnection {
  readonly store: ListableStore;
  readonly close: () => Promise<void>;
}

async function connect(url: string): Promise<LedgerConnection> {
  if (isRedisUrl(url)) {
    const redis = await connectRedis(url, () => {});
    return { store: new RedisLedgerStore(redis), close: () => redis.close() };
  }
  const path = getLedgerPath(url);
  if (!existsSync(path)) throw new StartError(`There is no ledger at ${path}. Set LEDGER_URL to the same value as for the graph.`);
  const store = await openLedgerFile(url);
  return { store, close: () => store.close() };
}

/** Entries whose outcome is unknown, oldest first. */
async function findUnknown(store: ListableStore): Promise<Stored[]> {
  const entries = await store.unsettled();
  return entries.filter((each) => !isRunning(each)).sort((a, b) => a.entry.startedAt - b.entry.startedAt);
}

const formatEntry = ({ entry: { attempt, operation, startedAt, expiresAt } }: Stored) => ({
  id: attempt,
  operation: operation ?? null,
  startedAt: new Date(startedAt).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
});

function print(entries: readonly Stored[], isJson: boolean): string {
  const rows = entries.map(formatEntry);
  if (isJson) return JSON.stringify(rows, null, 2);
  if (rows.length === 0) return 'There is no mutation with an unknown outcome.';
  const lines = rows.map(({ id, operation, startedAt, expiresAt }) =>
    escapeText(`${id}  ${startedAt}  ${expiresAt}  ${operation ?? 'unknown'}`),
  );
  return [`${'ID'.padEnd(36)}  ${'STARTED'.padEnd(24)}  ${'EXPIRES'.padEnd(24)}  OPERATION`, ...lines].join('\n');
}

async function list(store: ListableStore, idempotencyKey: string | undefined, isJson: boolean): Promise<string> {
  const entries = await findUnknown(store);
  const isWanted = ({ ids: [id = ''], entry: { operation = '' } }: Stored) =>
    idempotencyKey === undefined || matchesIdempotencyKey(id, operation, idempotencyKey);
  return print(entries.filter(isWanted), isJson);
}

async function resolve(store: ListableStore, id: string, isApplied: boolean): Promise<string> {
  const found = (await findUnknown(store)).find(({ entry }) => entry.attempt === id);
  const gone = new StartError(`There is no mutation with an unknown outcome and the ID ${id}. Run ledger list.`);
  if (!found) throw gone;
  const { ids, entry } = found;
  const draft = createSettledDraft(entry, isApplied ? 'SUCCEEDED' : 'FAILED', Date.now());
  // The graph may have found the outcome since.
  if (!(await store.move(ids, { attempt: entry.attempt, states: [entry.state] }, draft, UNKNOWN_TTL_MS))) throw gone;
  return isApplied ? `Recorded that ${id} was applied.` : `Recorded that ${id} wasn’t applied. A retry sends it again.`;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

/** Runs `ledger` with its arguments on the ledger at `url`, and returns what to print. Throws StartError if it can't. */
export async function runLedgerCommand(args: readonly string[], url: string): Promise<string> {
  const { values, positionals } = parse(args);
  const [command, id, ...others] = positionals;
  const { applied = false, 'not-applied': notApplied = false } = values;
  if (values.help) return USAGE.trimEnd();
  const isList = command === 'list' && id === undefined && !applied && !notApplied;
  const isResolve = command === 'resolve' && id !== undefined && others.length === 0 && applied !== notApplied;
  if (!isList && !isResolve)
    throw new StartError(`Use ledger list, or ledger resolve with an ID and either --applied or --not-applied.\n${USAGE}`);
  const { store, close } = await connect(url);
  try {
    return await (isList ? list(store, values['idempotency-key'], values.json ?? false) : resolve(store, id ?? '', applied));
  } finally {
    await close();
  }
}
