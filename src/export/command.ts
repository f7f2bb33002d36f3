import { setTimeout as delay } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import { ApiError } from '../failures/failures.ts';
import { createGraph } from '../graph.ts';
import { isRedisUrl } from '../ledger/ledgerUrl.ts';
import { systemClock } from '../lib/clock.ts';
import { toDateTime } from '../lib/dateTime.ts';
import { hashApiKey } from '../lib/keyHash.ts';
import { readManifest } from '../lib/packageRoot.ts';
import { escapeText } from '../lib/printableText.ts';
import { connectRedis } from '../lib/redis.ts';
import { StartError, toFileError } from '../lib/startup.ts';
import type { Search } from '../schema/search/searches.ts';
import { openUpstream } from '../server/openUpstream.ts';
import { type Config, type Environment, readConfig } from '../server/settings/config.ts';
import { createLogger } from '../server/telemetry/logger.ts';
import type { Upstream } from '../upstream/client.ts';
import type { IndexColumns } from '../upstream/contract/fields.ts';
import { ExecuteQuery } from '../upstream/contract/generated/operations.ts';
import type { WireIndexes } from '../upstream/contract/wireIndexes.ts';
import type { UpstreamOptions } from '../upstream/options.ts';
import { type ExportArguments, parseArguments, parseWhere, readKey, USAGE } from './arguments.ts';
import { type ExportIdentity, readSince, writeWatermark } from './checkpoint.ts';
import { createColumnSource } from './columnSource.ts';
import { type ExportColumn, type ExportRow, listColumns, requireSearch, selectColumns, withCurrency } from './columns.ts';
import { CustomerRecordSource, hasCustomerList } from './customerRecords.ts';
import { getPaths } from './files.ts';
import { createRecordWriter, openFormat } from './formats.ts';
import type { CreateWriter } from './formatWriter.ts';
import { acquireLock } from './lock.ts';
import type { Manifest } from './manifest.ts';
import { Pacer } from './pacer.ts';
import { formatDuration, Progress, type ProgressOutput, ROWS_PER_CALL, WINDOW_SECONDS } from './progress.ts';
import { createRecordSource } from './records.ts';
import { type ExportSource, InterruptedError, runExport } from './run.ts';
import { IndexSource } from './source.ts';

/** What the command needs of its process. */
interface CommandContext {
  readonly env: Environment;
  /** Prints to standard output. */
  readonly out: (text: string) => void;
  readonly err: ProgressOutput;
  /** Aborted with an InterruptedError when the process receives a signal. */
  readonly signal: AbortSignal;
  /** Defaults to a new one, which takes most of the startup time. */
  readonly schema?: GraphQLSchema;
  /** Overrides options of the upstream, such as its transport and clock. */
  readonly upstream?: Partial<UpstreamOptions>;
}

const CONTINUE = 'Run the same command again to continue from the last checkpoint.';
/** Number of calls for whole records that need no confirmation. Chosen: a few minutes at half of a rate limit of 6,000 calls per minute. */
const MAX_UNCONFIRMED_CALLS = 10_000;
/** Calls of an export besides those for its rows: the catalog, and three counts. */
const FIXED_CALLS = 4;
const UNVERIFIED_STATUS = 3;
/** As shells report processes that a signal ended. */
const SIGNAL_STATUS: Readonly<Partial<Record<NodeJS.Signals, number>>> = { SIGINT: 130, SIGTERM: 143 };

const number = new Intl.NumberFormat('en');

/** An export whose arguments are valid. */
interface Prepared {
  readonly args: ExportArguments;
  readonly search: Search<object>;
  readonly schema: GraphQLSchema;
  readonly index: IndexSource;
  readonly pacer: Pacer;
  readonly config: Config;
  readonly indexes: WireIndexes;
  readonly since: number | null;
  readonly identity: Omit<ExportIdentity, 'columns'>;
  readonly apiKey: string;
}

function prepare(args: ExportArguments, config: Config, upstream: Upstream, context: CommandContext): Prepared {
  const { where, statePath } = args;
  const { env, schema = createGraph().schema, upstream: own = {} } = context;
  const apiKey = readKey(args.keyFile, env);
  const search = requireSearch(args.root);
  const filter = where === undefined ? { condition: undefined, uses: [] } : parseWhere(where, search, schema);
  const identity = {
    root: args.root,
    where: where ?? '',
    format: args.format,
    idFormat: args.hasRawIds ? 'RAW' : 'GLOBAL',
    excelSafe: String(args.isExcelSafe),
    upstream: config.UPSTREAM_URL,
    key: hashApiKey(apiKey),
  };
  const since = statePath === undefined ? null : readSince(statePath, identity);
  const { clock = systemClock, wait = delay, random = Math.random } = own;
  const pacer = new Pacer({ upstream, apiKey, share: args.share, clock, wait, random });
  const timeMember = statePath === undefined ? 'createdAt' : 'updatedAt';
  const { indexes } = upstream.contract;
  const index = new IndexSource({ search, filter, timeMember, since, indexes, pacer });
  return {
    args,
    search,
    schema,
    index,
    indexes,
    pacer,
    config,
    since,
    identity: { ...identity, since: since === null ? '' : String(since) },
    apiKey,
  };
}

/** What an export writes. */
interface Content<Row> {
  readonly source: ExportSource<Row>;
  readonly createWriter: CreateWriter<Row>;
  /** Null for whole records. */
  readonly columns: readonly ExportColumn[] | null;
  readonly description: string;
  /** Number of calls to read this many rows. */
  readonly countCalls: (rows: number) => number;
}

const countIndexCalls = (rows: number): number => Math.ceil(rows / ROWS_PER_CALL) + FIXED_CALLS;

async function createColumnContent({ args, search, schema, index }: Prepared, available: IndexColumns): Promise<Content<ExportRow>> {
  const all = listColumns(search, available, schema, args.hasRawIds);
  const selected = selectColumns(all, args.columns);
  const columns = args.format === 'jsonl' ? selected : withCurrency(selected, all);
  const createWriter = await openFormat(args.format, columns, args.isExcelSafe);
  const description = columns.map(({ name }) => name).join(', ');
  return { source: createColumnSource(index, columns), createWriter, columns, description, countCalls: countIndexCalls };
}

/** Whole records by customer. Null if that isn't possible: with conditions, or if the key can't read the index of customers. */
async function createCustomerContent({ args, search, schema, index, indexes, pacer }: Prepared): Promise<Content<object> | null> {
  if (args.where !== undefined || args.statePath !== undefined || !hasCustomerList(search, indexes)) return null;
  const source = new CustomerRecordSource({ index, search, indexes, pacer, schema, hasRawIds: args.hasRawIds });
  try {
    const customers = await source.countCustomers();
    const description = 'whole records, by customer';
    return {
      source,
      createWriter: createRecordWriter,
      columns: null,
      description,
      countCalls: () => countIndexCalls(customers) + customers,
    };
  } catch (error) {
    if (error instanceof ApiError && error.retry === 'NEVER') return null;
    throw error;
  }
}

async function createRecordContent(prepared: Prepared): Promise<Content<object>> {
  const { args, search, schema, index, pacer } = prepared;
  return (
    (await createCustomerContent(prepared)) ?? {
      source: createRecordSource(index, pacer, schema, search, args.hasRawIds),
      createWriter: createRecordWriter,
      columns: null,
      description: 'whole records',
      countCalls: (rows) => countIndexCalls(rows) + rows,
    }
  );
}

function formatTime(calls: number, { callsPerWindow }: Pacer): string {
  if (callsPerWindow === null) return 'unknown, because the upstream reports no rate limit';
  return `at least ${formatDuration((calls / callsPerWindow) * WINDOW_SECONDS)}`;
}

async function formatPlan(
  { args, search, index, pacer, config }: Prepared,
  content: Omit<Content<never>, 'createWriter' | 'source'>,
): Promise<string> {
  const { expected, until } = await index.open();
  const calls = content.countCalls(expected);
  const { callsPerWindow, quota } = pacer;
  const lines = [
    ['Root', `${args.root}${args.where === undefined ? '' : ` where ${args.where}`}`],
    ['Upstream', config.UPSTREAM_URL],
    ['Rows', `${number.format(expected)} until ${toDateTime(until)}`],
    ['Columns', content.description],
    ['Calls', `about ${number.format(calls)}${quota ? `, at most ${callsPerWindow} of ${quota.limit} per window` : ''}`],
    ['Time', formatTime(calls, pacer)],
    ['Scopes', [...new Set([...ExecuteQuery.scopes, ...search.target.operation.scopes])].join(', ')],
  ];
  return `${lines.map(([name = '', value = '']) => `${`${name}:`.padEnd(10)} ${escapeText(value)}`).join('\n')}\n`;
}

function formatSummary({ rows, verified, unavailable }: Manifest, file: string, { calls, retries, waitedMs }: Pacer): string {
  const { written, atStart, atEnd } = rows;
  const counts = `${number.format(written)} rows written, ${number.format(atEnd)} in the index now, ${number.format(atStart)} when the export started`;
  const missing = Object.entries(unavailable).map(([name, count]) => `${name} (${number.format(count)})`);
  return [
    `${verified ? 'Verified' : 'Not verified, the numbers differ'}: ${counts}.`,
    ...(missing.length > 0 ? [`Null because the upstream didn’t return them: ${missing.join(', ')}.`] : []),
    `${file}: ${number.format(calls)} calls, ${number.format(retries)} retries, waited ${formatDuration(waitedMs / 1_000)}.`,
    '',
  ].join('\n');
}

/** Members of the manifest that are known before the export starts. */
const createManifestBase = ({ args, since }: Prepared, columns: readonly ExportColumn[] | null) => ({
  root: args.root,
  where: args.where ?? null,
  format: args.format,
  idFormat: args.hasRawIds ? ('RAW' as const) : ('GLOBAL' as const),
  columns: columns?.map(({ name, type }) => ({ name, type })) ?? null,
  timeColumn: args.statePath === undefined ? 'createdAt' : 'updatedAt',
  since: since === null ? null : toDateTime(since),
  producer: `workspace-graph ${readManifest().version}`,
});

/** Rejects an export of many calls that wasn't confirmed. */
function checkConfirmation(rows: number, calls: number, { args, pacer }: Prepared): void {
  if (!args.hasRecords || args.isConfirmed || calls <= MAX_UNCONFIRMED_CALLS) return;
  const time = formatTime(calls, pacer);
  throw new StartError(
    `Whole records of ${number.format(rows)} rows take about ${number.format(calls)} calls (${time}). Add --yes to start.`,
  );
}

/** Writes the file, and returns the exit code. */
async function write<Row>(prepared: Prepared, content: Content<Row>, { signal, err, upstream: own }: CommandContext): Promise<number> {
  const { args, pacer } = prepared;
  const { source, createWriter, columns, countCalls } = content;
  const paths = getPaths(args.out);
  const identity: ExportIdentity = { ...prepared.identity, columns: content.description };
  const release = acquireLock(paths.lock);
  let progress: Progress | undefined;
  try {
    const manifest = await runExport({
      source,
      createWriter,
      paths,
      identity,
      apiKey: prepared.apiKey,
      manifest: createManifestBase(prepared, columns),
      isOverwriting: args.isOverwriting,
      isRestarting: args.isRestarting,
      isMoving: args.statePath !== undefined,
      signal,
      onStart: ({ expected, rows }) => {
        checkConfirmation(expected, countCalls(expected), prepared);
        if (rows > 0) err.write(`Continuing after ${number.format(rows)} rows.\n`);
        if (pacer.quota === null) err.write('The upstream reports no rate limit, so at most 2 calls per second are sent.\n');
        const callsPerRow = countCalls(expected) / Math.max(1, expected);
        const clock = own?.clock ?? systemClock;
        progress = new Progress({ pacer, output: err, form: args.progress, clock, expected, written: rows, callsPerRow });
      },
      onRows: (rows) => progress?.update(rows),
    });
    progress?.update(manifest.rows.written, true);
    // Rows that are missing must be in the next export.
    if (args.statePath !== undefined && manifest.verified) writeWatermark(args.statePath, identity, Date.parse(manifest.until) / 1_000);
    err.write(formatSummary(manifest, manifest.verified ? paths.out : paths.unverified, pacer));
    return manifest.verified ? 0 : UNVERIFIED_STATUS;
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw toCommandError(error, args.out, progress !== undefined);
    err.write(`${error.message} ${progress ? CONTINUE : ''}\n`);
    return SIGNAL_STATUS[error.signal] ?? 1;
  } finally {
    release();
  }
}

/** Prints the plan, or writes the file. */
async function runContent<Row>(prepared: Prepared, content: Content<Row>, context: CommandContext): Promise<number> {
  if (!prepared.args.isPlan) return write(prepared, content, context);
  context.out(await formatPlan(prepared, content));
  return 0;
}

/** Converts failures of the upstream and of files to errors without a stack trace. */
function toCommandError(error: unknown, out: string, hasStarted: boolean): unknown {
  const known = error instanceof ApiError ? error : toFileError(error, '--out', out);
  if (!(known instanceof ApiError) && known === error) return error;
  const message = escapeText((known as Error).message);
  return new StartError(hasStarted ? `${message} ${CONTINUE}` : message, { cause: error });
}

/** Runs `export` with its arguments, and returns its exit code. Throws StartError for problems that the user can fix. */
export async function runExportCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = parseArguments(args);
  if (!parsed) {
    context.out(USAGE);
    return 0;
  }
  const config = readConfig(context.env);
  const { LEDGER_URL: url } = config;
  const redis = isRedisUrl(url) ? await connectRedis(url, () => {}) : undefined;
  const upstream = openUpstream(config, redis, createLogger('warn', context.err), context.upstream);
  try {
    const prepared = prepare(parsed, config, upstream, context);
    const available = await prepared.index.check();
    if (parsed.hasRecords) return await runContent(prepared, await createRecordContent(prepared), context);
    return await runContent(prepared, await createColumnContent(prepared, available), context);
  } catch (error) {
    throw toCommandError(error, parsed.out, false);
  } finally {
    await upstream.close();
    await redis?.close();
  }
}

/**
 * Limits of V8's heap. Without them, V8 lets garbage accumulate up to a multiple of the live data. Measured with a million rows as Parquet: 212 MB instead of
 * 424 MB.
 */
const HEAP_LIMITS = ['--max-old-space-size=160', '--max-semi-space-size=8'];

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Replaces this process by one with a limited heap, unless it's one already. Windows can't replace processes. */
function limitHeap(): void {
  const { execve, execArgv, execPath, argv, platform } = process;
  if (!execve || platform === 'win32' || HEAP_LIMITS.every((flag) => execArgv.includes(flag))) return;
  execve.call(process, execPath, [execPath, ...HEAP_LIMITS, ...execArgv, ...argv.slice(1)], process.env);
}

/** Runs `export` in this process, and exits. */
export async function runExportProcess(args: readonly string[]): Promise<never> {
  limitHeap();
  const interruption = new AbortController();
  // Only the first signal: the second one ends the process, which loses the rows since the last checkpoint.
  for (const signal of SIGNALS) process.once(signal, () => interruption.abort(new InterruptedError(signal)));
  const { stdout, stderr } = process;
  const context: CommandContext = {
    env: process.env,
    out: (text) => void stdout.write(text),
    err: { isTTY: stderr.isTTY === true, write: (text) => void stderr.write(text) },
    signal: interruption.signal,
  };
  // An interrupted call or wait may still be pending.
  process.exit(await runExportCommand(args, context));
}
