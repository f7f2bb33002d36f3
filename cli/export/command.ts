import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/lib/clock.ts';
import { toDateTime } from '../../src/lib/dateTime.ts';
import { hashApiKey } from '../../src/lib/keyHash.ts';
import { readManifest } from '../../src/lib/packageRoot.ts';
import { escapeText } from '../../src/lib/printableText.ts';
import { StartError, toFileError } from '../../src/lib/startup.ts';
import { type CommandContext, InterruptedError, openGraph } from '../bulk/command.ts';
import { getCaller, readCredential } from '../bulk/credential.ts';
import { getPaths } from '../bulk/files.ts';
import { GraphClient, type OpenGraph } from '../bulk/graphClient.ts';
import { RequestError } from '../bulk/graphResponse.ts';
import { acquireLock } from '../bulk/lock.ts';
import { Pacer, WINDOW_SECONDS } from '../bulk/pacer.ts';
import { formatDuration, Progress } from '../bulk/progress.ts';
import { readProxy } from '../bulk/proxy.ts';
import { createWhereError, type ExportArguments, parseArguments, parseWhere, USAGE } from './arguments.ts';
import { type ExportIdentity, readSince, writeWatermark } from './checkpoint.ts';
import { createRowConverter, type ExportRow, getColumnName, printSelection, selectColumns, toRecord, withCurrency } from './columns.ts';
import { CustomerRecordSource } from './customerRecords.ts';
import { createRecordWriter, openFormat } from './formats.ts';
import type { CreateWriter } from './formatWriter.ts';
import type { Manifest } from './manifest.ts';
import type { Batch, Place } from './ranges.ts';
import { type ExportColumn, type Root, requireRoot } from './roots.ts';
import { ROW_DEPTH, type RowSelection, SearchReader, type SearchRow } from './rows.ts';
import { type ExportSource, runExport } from './run.ts';

const CONTINUE = 'Run the same command again to continue from the last checkpoint.';
/** Number of calls for whole records that need no confirmation. Chosen: a few minutes at half of a rate limit of 6,000 calls per minute. */
const MAX_UNCONFIRMED_CALLS = 10_000;
/** Calls of an export besides those for its rows: the catalog, the first row, the upstream's time, and two counts. */
const FIXED_CALLS = 5;
/** Rows per call, with the last pages of time ranges. Measured with a million orders. */
const ROWS_PER_CALL = 89;
const UNVERIFIED_STATUS = 3;
const number = new Intl.NumberFormat('en');

/** An export whose arguments are valid. */
interface Prepared {
  readonly args: ExportArguments;
  readonly root: Root;
  readonly reader: SearchReader;
  readonly pacer: Pacer;
  readonly upstreamUrl: string;
  readonly since: number | null;
  readonly identity: Omit<ExportIdentity, 'columns'>;
  /** Signs the checkpoint. */
  readonly caller: string;
}

/** What can be checked without a graph. */
function check(args: ExportArguments, { env }: CommandContext) {
  const readKey = () => readCredential(args.keyFile, env);
  return { root: requireRoot(args.root), createFilter: parseWhere(args.where ?? ''), readKey, caller: getCaller(readKey()) };
}

function prepare(
  args: ExportArguments,
  { root, createFilter, caller }: ReturnType<typeof check>,
  { upstreamUrl }: OpenGraph,
  client: GraphClient,
  { clock = systemClock, wait = delay }: CommandContext,
): Prepared {
  const { statePath, share } = args;
  const identity = {
    root: args.root,
    where: args.where ?? '',
    format: args.format,
    idFormat: args.hasRawIds ? 'RAW' : 'GLOBAL',
    excelSafe: String(args.isExcelSafe),
    upstream: upstreamUrl,
    key: hashApiKey(caller),
  };
  const since = statePath === undefined ? null : readSince(statePath, identity);
  const pacer = new Pacer({ client, share, clock, wait, random: Math.random });
  const timeField = statePath === undefined ? 'createdAt' : 'updatedAt';
  const reader = new SearchReader({ root, createFilter, timeField, since, pacer });
  return { args, root, upstreamUrl, reader, pacer, since, identity: { ...identity, since: since === null ? '' : String(since) }, caller };
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

/** Converts the rows that a search returns. */
async function* convertRows<Row>(
  batches: AsyncGenerator<Batch<SearchRow>>,
  toRow: (row: SearchRow) => Row,
  toName: (name: string) => string = (name) => name,
): AsyncGenerator<Batch<Row>> {
  for await (const { rows, unavailable, place } of batches) yield { rows: rows.map(toRow), unavailable: unavailable.map(toName), place };
}

/** Reads the first row with columns that the upstream has. Leaves out other columns, unless they were named. */
async function readFirst({ args, root, reader }: Prepared) {
  for (let all = root.columns; ; ) {
    const selected = selectColumns(all, args.columns);
    const columns = args.format === 'jsonl' ? selected : withCurrency(selected, all);
    const selection: RowSelection = { fields: printSelection(columns, args.hasRawIds), isInIndex: true, depth: ROW_DEPTH };
    try {
      return { columns, selection, first: await reader.readFirst(selection) };
    } catch (error) {
      if (!(error instanceof RequestError) || error.fields.length === 0) throw error;
      all = all.filter(({ path: [field = ''] }) => !error.fields.includes(field));
    }
  }
}

async function createColumnContent(prepared: Prepared): Promise<Content<ExportRow>> {
  const { args, reader } = prepared;
  const { columns, selection, first } = await readFirst(prepared);
  const createWriter = await openFormat(args.format, columns, args.isExcelSafe);
  const description = columns.map(({ name }) => name).join(', ');
  const toRow = createRowConverter(columns, args.hasRawIds);
  const toName = (field: string) => getColumnName(columns, field);
  const source = {
    open: () => reader.open(first),
    count: (until: number) => reader.count(until),
    read: (until: number, place: Place) => convertRows(reader.read(selection, until, place), toRow, toName),
  };
  return { source, createWriter, columns, description, countCalls: countIndexCalls };
}

/** Whole records by customer. Null if that isn't possible: with conditions, or if the key can't search customers. */
async function createCustomerContent({ args, root, reader, pacer }: Prepared, record: string): Promise<Content<object> | null> {
  if (args.where !== undefined || args.statePath !== undefined || root.customerField === undefined) return null;
  const source = new CustomerRecordSource({ reader, pacer, field: root.customerField, record });
  try {
    const customers = await source.countCustomers();
    return {
      source: {
        open: () => source.open(),
        count: (until) => source.count(until),
        read: (until, place) => convertRows(source.read(until, place), toRecord),
      },
      createWriter: createRecordWriter,
      columns: null,
      description: 'whole records, by customer',
      countCalls: () => countIndexCalls(customers) + customers,
    };
  } catch (error) {
    if (error instanceof RequestError && !error.isTemporary) return null;
    throw error;
  }
}

async function createRecordContent(prepared: Prepared): Promise<Content<object>> {
  const { args, root, reader } = prepared;
  const record = args.hasRawIds ? root.rawRecord : root.record;
  const first = await reader.readFirst({ fields: '', isInIndex: true, depth: ROW_DEPTH });
  const selection: RowSelection = { fields: record, isInIndex: false, depth: ROW_DEPTH };
  return (
    (await createCustomerContent(prepared, record)) ?? {
      source: {
        open: () => reader.open(first),
        count: (until) => reader.count(until),
        read: (until, place) => convertRows(reader.read(selection, until, place), toRecord),
      },
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
  { args, root, pacer, upstreamUrl }: Prepared,
  { source, description, countCalls }: Omit<Content<unknown>, 'createWriter'>,
): Promise<string> {
  const { expected, until } = await source.open();
  const calls = countCalls(expected);
  const { callsPerWindow, quota } = pacer;
  const lines = [
    ['Root', `${args.root}${args.where === undefined ? '' : ` where ${args.where}`}`],
    ['Upstream', upstreamUrl],
    ['Rows', `${number.format(expected)} until ${toDateTime(until)}`],
    ['Columns', description],
    ['Calls', `about ${number.format(calls)}${quota ? `, at most ${callsPerWindow} of ${quota.limit} per window` : ''}`],
    ['Time', formatTime(calls, pacer)],
    ['Scopes', root.scopes.join(', ')],
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
async function write<Row>(
  prepared: Prepared,
  content: Content<Row>,
  { signal, err, clock = systemClock }: CommandContext,
): Promise<number> {
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
      caller: prepared.caller,
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
    return error.status;
  } finally {
    release();
  }
}

/** Converts failures of the graph and of files to errors without a stack trace. */
function toCommandError(error: unknown, out: string, hasStarted: boolean): unknown {
  const known = error instanceof RequestError ? error : toFileError(error, '--out', out);
  if (!(known instanceof RequestError) && known === error) return error;
  const message = escapeText((known as Error).message);
  return new StartError(hasStarted ? `${message} ${CONTINUE}` : message, { cause: error });
}

/** Codes of errors that a filter causes. */
const FILTER_ERRORS: readonly string[] = ['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED'];

/** Converts an error before the first row is written. Only the filter of a document isn't the command's own. */
function toPrepareError(error: unknown, { where, out }: ExportArguments): unknown {
  if (where === undefined || !(error instanceof RequestError) || !FILTER_ERRORS.includes(error.code))
    return toCommandError(error, out, false);
  return createWhereError(escapeText(error.message.replaceAll(/(?<=^| )filter\./g, '')), { cause: error });
}

/** Prints the plan, or writes the file. */
async function runContent<Row>(prepared: Prepared, content: Content<Row>, context: CommandContext): Promise<number> {
  if (!prepared.args.isPlan) return write(prepared, content, context);
  context.out(await formatPlan(prepared, content));
  return 0;
}

/** Runs `export` with its arguments, and returns its exit code. Throws StartError for problems that the user can fix. */
export async function runExportCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = parseArguments(args);
  if (!parsed) {
    context.out(USAGE);
    return 0;
  }
  const checked = check(parsed, context);
  const graph = await openGraph(parsed.url, context);
  const client = new GraphClient({ url: graph.url, readCredential: checked.readKey, proxy: readProxy(context.env) });
  try {
    const prepared = prepare(parsed, checked, graph, client, context);
    return parsed.hasRecords
      ? await runContent(prepared, await createRecordContent(prepared), context)
      : await runContent(prepared, await createColumnContent(prepared), context);
  } catch (error) {
    throw toPrepareError(error, parsed);
  } finally {
    await client.close();
    await graph.close();
  }
}
