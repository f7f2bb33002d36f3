import { hash, randomUUID } from 'node:crypto';
import { closeSync, statSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/lib/clock.ts';
import { hashApiKey } from '../../src/lib/keyHash.ts';
import { escapeText } from '../../src/lib/printableText.ts';
import { StartError, toFileError } from '../../src/lib/startup.ts';
import { type CommandContext, InterruptedError, openGraph } from '../bulk/command.ts';
import { getCaller, readCredential } from '../bulk/credential.ts';
import { moveFile, openOutput, removeFile } from '../bulk/files.ts';
import { GraphClient, RequestError } from '../bulk/graphClient.ts';
import { acquireLock } from '../bulk/lock.ts';
import { Pacer, WINDOW_SECONDS } from '../bulk/pacer.ts';
import { formatDuration, Progress } from '../bulk/progress.ts';
import { type ImportArguments, parseArguments, USAGE } from './arguments.ts';
import { type CheckReport, checkFile, formatProblems, readRows } from './check.ts';
import { type InputColumn, readMap, resolveColumns } from './columns.ts';
import { type ImportMutation, readSchema, requireMutation } from './mutations.ts';
import { References } from './references.ts';
import { type IdentifiedRow, RowConverter } from './rows.ts';
import { Sender } from './send.ts';
import { ImportState, isOpen, type RowStatus } from './state.ts';
import { isJsonLines, readColumns } from './table.ts';
import { formatTemplate } from './template.ts';

const INCOMPLETE_STATUS = 3;
/**
 * The graph's time is known to the second, from a header that Node.js renews each second. Its ledger rejects keys that are older than it is, but accepts those of
 * the next half an hour.
 */
const CLOCK_MARGIN_MS = 2_000;

const CONTINUE = 'Run the same command again to continue.';

/** Statuses of rows that are applied. */
const APPLIED: ReadonlySet<RowStatus | null> = new Set<RowStatus | null>(['DONE', 'REPLAYED', 'RECONCILED', 'UNCHANGED']);

const number = new Intl.NumberFormat('en');

/** An import whose arguments are valid. */
interface Prepared {
  readonly args: ImportArguments;
  readonly mutation: ImportMutation;
  readonly columns: readonly InputColumn[];
  readonly converter: RowConverter;
  readonly client: GraphClient;
  readonly pacer: Pacer;
  /** What must be the same in each run. */
  readonly identity: Readonly<Record<string, string>>;
}

/** Throws StartError if the graph would forget which rows were applied. */
async function checkStorage(pacer: Pacer, { allowsVolatile }: ImportArguments): Promise<void> {
  const document = '{ idempotencyKeyStorage { isDurable } }';
  const { data } = await pacer.request(document, {}, { calls: 0, depth: 1 });
  if (data.idempotencyKeyStorage.isDurable || allowsVolatile) return;
  throw new StartError(
    'The graph stores idempotency keys in memory, so rows could be applied twice after it restarts. Set its LEDGER_URL, or add --allow-volatile.',
  );
}

async function readCustomKinds(pacer: Pacer, columns: readonly InputColumn[]): Promise<ReadonlyMap<string, string>> {
  if (!columns.some(({ customField }) => customField !== undefined)) return new Map();
  const { data } = await pacer.request('{ customFieldDefinitions { name kind } }', {}, { calls: 1, depth: 1 });
  const definitions = data.customFieldDefinitions as readonly { readonly name: string; readonly kind: string }[];
  return new Map(definitions.map(({ name, kind }) => [name, kind]));
}

async function prepare(
  args: ImportArguments,
  mutation: ImportMutation,
  columns: readonly InputColumn[],
  { client, pacer, identity }: Pick<Prepared, 'client' | 'pacer' | 'identity'>,
): Promise<Prepared> {
  await checkStorage(pacer, args);
  const references = new References(pacer, mutation.name);
  references.check(columns);
  const customKinds = await readCustomKinds(pacer, columns);
  const { format, keyColumn } = args;
  const converter = new RowConverter({ columns, input: mutation.input, format, references, customKinds, keyColumn });
  return { args, mutation, columns, converter, client, pacer, identity };
}

function formatEstimate({ rows, repeated }: CheckReport, { callsPerWindow }: Pacer): string {
  const time = callsPerWindow === null ? 'an unknown time' : `at least ${formatDuration((rows / callsPerWindow) * WINDOW_SECONDS)}`;
  const repeats = repeated > 0 ? ` ${number.format(repeated)} have the content of an earlier row, and are sent as well.` : '';
  return `${number.format(rows)} valid rows take about ${number.format(rows)} calls and ${time}.${repeats}\n`;
}

/** Checks the file, and adds its rows to the state. Throws StartError if rows are invalid. */
async function check(
  { args, converter }: Prepared,
  state: ImportState,
  isRepeated: boolean,
  { signal }: CommandContext,
): Promise<CheckReport> {
  const { file, sendsNew, skipsInvalid } = args;
  const onRow = () => signal.throwIfAborted();
  const report = await checkFile({ file, converter, state, isRepeated, sendsNew, onRow });
  if (report.invalid > 0 && !skipsInvalid)
    throw new StartError(`${formatProblems(file, report)}Nothing was sent. Correct them, or add --skip-invalid to send the other rows.`);
  return report;
}

/** The rows that have no final result. */
async function* listOpen(rows: AsyncIterable<IdentifiedRow>, state: ImportState): AsyncGenerator<IdentifiedRow> {
  for await (const row of rows) {
    const known = state.find(row.identity);
    if (known && isOpen(known) && known.content === row.content && row.problems.length === 0) yield row;
  }
}

/** Writes the results of all rows, in the order of the file. */
function writeResults(out: string, state: ImportState): void {
  const next = `${out}.new`;
  removeFile(next);
  const fd = openOutput(next, 'create');
  try {
    for (const { line, status, result, isChanged } of state.list()) {
      const own = status ?? 'NOT_SENT';
      const statuses = isChanged ? { status: 'CHANGED', previousStatus: own } : { status: own };
      writeSync(fd, `${JSON.stringify({ line, ...statuses, ...JSON.parse(result ?? '{}') })}\n`);
    }
  } finally {
    closeSync(fd);
  }
  moveFile(next, out);
}

function formatSummary(state: ImportState, { out }: ImportArguments, { calls, waitedMs }: Pacer): string {
  const counts = [...state.countByStatus()].map(([status, count]) => `${number.format(count)} ${status ?? 'NOT_SENT'}`);
  return `${counts.join(', ')}. Results: ${out}. ${number.format(calls)} calls, waited ${formatDuration(waitedMs / 1_000)}.\n`;
}

/** Sends the rows, and returns the exit code. */
async function send(prepared: Prepared, state: ImportState, report: CheckReport, context: CommandContext): Promise<number> {
  const { args, mutation, columns, converter, client, pacer } = prepared;
  const { signal, err, clock = systemClock, wait = delay } = context;
  const before = state.countByStatus();
  const expected = [null, 'RETRY' as const, 'OUTCOME_UNKNOWN' as const].reduce((sum, status) => sum + (before.get(status) ?? 0), 0);
  const importId = state.remember('importId', randomUUID);
  const sender = new Sender({
    mutation,
    columns,
    importId,
    state,
    pacer,
    wait,
    unixMs: () => client.graphTimeMs + CLOCK_MARGIN_MS,
    signal,
  });
  const progress = new Progress({ pacer, output: err, form: args.progress, clock, expected, written: 0, callsPerRow: 1 });
  let sent = 0;
  try {
    await sender.send(listOpen(readRows(args.file, converter, state), state), (count) => {
      sent += count;
      progress.update(sent);
    });
  } finally {
    progress.update(sent, true);
    writeResults(args.out, state);
    err.write(formatSummary(state, args, pacer));
  }
  signal.throwIfAborted();
  const { added, changed } = report;
  if (added > 0 && !args.sendsNew)
    err.write(`${number.format(added)} rows are new since the first run, and weren’t sent. Add --send-new.\n`);
  if (changed > 0) err.write(`${number.format(changed)} rows changed since they were sent, and weren’t sent again.\n`);
  const isComplete = [...state.countByStatus().keys()].every((status) => APPLIED.has(status)) && changed === 0;
  return isComplete && (added === 0 || args.sendsNew) ? 0 : INCOMPLETE_STATUS;
}

/** Checks and sends the rows of a file. */
async function importFile(prepared: Prepared, context: CommandContext): Promise<number> {
  const { args, pacer } = prepared;
  if (args.isCheck) {
    const state = new ImportState(':memory:');
    const report = await check(prepared, state, false, context).finally(() => state.close());
    context.out(formatEstimate(report, pacer));
    return 0;
  }
  const release = acquireLock(`${args.out}.lock`);
  let state: ImportState | undefined;
  try {
    state = new ImportState(`${args.out}.state`);
    const report = await checkOnce(prepared, state, context);
    return await send(prepared, state, report, context);
  } finally {
    state?.close();
    release();
  }
}

/** Checks the file, and stores its rows if all of them can be sent. Throws StartError if the state belongs to another import. */
async function checkOnce(prepared: Prepared, state: ImportState, context: CommandContext): Promise<CheckReport> {
  const { args, identity } = prepared;
  const { size, mtimeMs } = statSync(args.file);
  const isRepeated = state.has('importId');
  state.begin();
  try {
    state.identify(identity);
    if (args.retriesFailed) state.retryFailed();
    const report = await check(prepared, state, isRepeated, context);
    state.remember('importId', randomUUID);
    const now = statSync(args.file);
    if (size !== now.size || mtimeMs !== now.mtimeMs) throw new StartError(`${args.file} was changed while it was checked. ${CONTINUE}`);
    state.commit();
    return report;
  } catch (error) {
    state.rollBack();
    throw error;
  }
}

/** Converts failures of the graph and of files to errors without a stack trace. */
function toCommandError(error: unknown, { file }: ImportArguments): unknown {
  const known = error instanceof RequestError ? error : toFileError(error, 'FILE', file);
  if (!(known instanceof RequestError) && known === error) return error;
  return new StartError(`${escapeText((known as Error).message)} ${CONTINUE}`, { cause: error });
}

/** Runs `import` with its arguments, and returns its exit code. Throws StartError for problems that the user can fix. */
export async function runImportCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = parseArguments(args);
  if (!parsed) {
    context.out(USAGE);
    return 0;
  }
  const mutation = requireMutation(readSchema(), parsed.mutation);
  if (parsed.isTemplate) {
    context.out(formatTemplate(mutation));
    return 0;
  }
  const { env, clock = systemClock, wait = delay } = context;
  const { file, keyColumn, map, notation, share } = parsed;
  const headers = await readColumns(file).catch((error: unknown) => Promise.reject(toFileError(error, 'FILE', file)));
  if (headers && keyColumn !== undefined && !headers.includes(keyColumn))
    throw new StartError(`The file has no column ${keyColumn}, which --key-column names.`);
  const columns = headers ? resolveColumns(headers, keyColumn, readMap(map), mutation.input) : [];
  const readKey = () => readCredential(parsed.keyFile, env);
  const caller = getCaller(readKey());
  const graph = await openGraph(parsed.url, context);
  const client = new GraphClient({ url: graph.url, readCredential: readKey });
  const pacer = new Pacer({ client, share, clock, wait, random: Math.random });
  const identity = {
    mutation: mutation.name,
    format: isJsonLines(file) ? 'jsonl' : 'csv',
    mapping: hash(
      'sha256',
      JSON.stringify([columns.map(({ header, path, lookup, template }) => [header, path, lookup, template]), notation]),
    ),
    'key column': keyColumn ?? '',
    workspace: graph.upstreamUrl,
    key: hashApiKey(caller),
  };
  try {
    return await importFile(await prepare(parsed, mutation, columns, { client, pacer, identity }), context);
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw toCommandError(error, parsed);
    context.err.write(`${error.message} ${CONTINUE}\n`);
    return error.status;
  } finally {
    await client.close();
    await graph.close();
  }
}
