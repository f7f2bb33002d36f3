import { hash, randomUUID } from 'node:crypto';
import { closeSync, readFileSync, statSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/lib/clock.ts';
import { hashApiKey } from '../../src/lib/keyHash.ts';
import { PACKAGE_ROOT } from '../../src/lib/packageRoot.ts';
import { escapeText } from '../../src/lib/printableText.ts';
import { StartError, toFileError } from '../../src/lib/startup.ts';
import { type CommandContext, InterruptedError, openGraph } from '../bulk/command.ts';
import { getCaller, readCredential } from '../bulk/credential.ts';
import { isPresent, moveFile, openOutput, removeFile } from '../bulk/files.ts';
import { GraphClient } from '../bulk/graphClient.ts';
import { RequestError } from '../bulk/graphResponse.ts';
import { acquireLock } from '../bulk/lock.ts';
import { Pacer, WINDOW_SECONDS } from '../bulk/pacer.ts';
import { formatDuration, Progress } from '../bulk/progress.ts';
import { readProxy } from '../bulk/proxy.ts';
import { type ImportArguments, parseArguments, USAGE } from './arguments.ts';
import { type CheckReport, checkFile, findDoubtfulRows, formatProblems, readRows } from './check.ts';
import { type InputColumn, resolveColumns } from './columns.ts';
import { type CustomField, readCustomFields } from './customFields.ts';
import { readMap } from './map.ts';
import { type ImportMutation, parseSchema, requireMutation } from './mutations.ts';
import { checkOut, createStateError } from './ownFiles.ts';
import { APPLIED, formatResult } from './rowStore.ts';
import { RowConverter } from './rows.ts';
import { readKeyStorage, Sender } from './send.ts';
import { ImportState, isDatabaseError } from './state.ts';
import { isJsonLines, readColumns, type TableFile } from './table.ts';
import { openTable } from './tableFile.ts';
import { formatTemplate, hasCustomFields } from './template.ts';

const INCOMPLETE_STATUS = 3;

const CONTINUE = 'Run the same command again to continue.';

const number = new Intl.NumberFormat('en');

/** Name of the stored value that distinguishes an import from others of the same rows. Stored before the first row is sent. */
const IMPORT_ID = 'importId';

const sha256 = (text: string): string => hash('sha256', text, 'base64url');

/** An import whose arguments are valid. */
interface Prepared {
  readonly args: ImportArguments;
  readonly file: TableFile;
  readonly mutation: ImportMutation;
  readonly columns: readonly InputColumn[];
  readonly converter: RowConverter;
  readonly client: GraphClient;
  readonly pacer: Pacer;
  /** The graph's storage of idempotency keys. Empty for a check. */
  readonly storageId: string;
  /** What must be the same in each run. */
  readonly identity: Readonly<Record<string, string>>;
  readonly keyHash: string;
}

function formatEstimate(
  { rows, repeated, updates }: CheckReport,
  { match }: ImportMutation,
  state: ImportState,
  { callsPerWindow }: Pacer,
): string {
  const open = state.countOpen();
  const calls = open + state.countReferences();
  const time = callsPerWindow === null ? 'an unknown time' : `at least ${formatDuration((calls / callsPerWindow) * WINDOW_SECONDS)}`;
  const repeats = repeated > 0 ? ` ${number.format(repeated)} have the content of an earlier row, and are sent as well.` : '';
  const others = open < rows ? ` Of ${number.format(rows)} rows, the others are applied, or can’t be sent.` : '';
  const matched = match ? ` Updates of records that exist: ${number.format(updates)}.` : '';
  return `${number.format(open)} valid rows take about ${number.format(calls)} calls and ${time}.${others}${matched}${repeats}\n`;
}

/** What a person must agree with: how cells were read. */
const formatNotations = ({ notations }: RowConverter): string =>
  notations.length === 0 ? '' : `Notation of each column:\n${notations.map((line) => `  ${line}\n`).join('')}`;

/** Writes the results of all rows, in the order of the file. */
function writeResults(out: string, state: ImportState): void {
  const next = `${out}.new`;
  removeFile(next);
  const fd = openOutput(next, 'create');
  try {
    for (const row of state.list()) writeSync(fd, formatResult(row));
  } finally {
    closeSync(fd);
  }
  moveFile(next, out);
}

function formatSummary(state: ImportState, { out }: ImportArguments, { calls, waitedMs }: Pacer): string {
  const counts = [...state.countByStatus()].map(([status, count]) => `${number.format(count)} ${status ?? 'NOT_SENT'}`);
  return `${counts.join(', ')}. Results: ${out}. ${number.format(calls)} calls, waited ${formatDuration(waitedMs / 1_000)}.\n`;
}

/** ID of the key's workspace. Empty if the graph doesn't return it. */
async function readWorkspaceId(pacer: Pacer): Promise<string> {
  const { data } = await pacer.request('{ viewer { workspace { rawId } } }', {}, { calls: 1, depth: 0 });
  return data.viewer?.workspace?.rawId ?? '';
}

/**
 * Another key of the same workspace can continue an import whose outcomes are all known: the graph returns that of a lost response only to the key that sent the
 * request. Throws StartError for any other key.
 */
async function checkKey({ keyHash, pacer }: Prepared, state: ImportState): Promise<void> {
  const known = state.recall('key');
  if (known === keyHash) return;
  const workspaceId = await readWorkspaceId(pacer);
  if (known !== undefined && (workspaceId === '' || workspaceId !== state.recall('workspace ID'))) throw state.createMismatchError('key');
  const unsettled = state.countUnsettled();
  if (unsettled > 0)
    throw new StartError(
      `The outcome of ${number.format(unsettled)} rows is unknown, and can only be found out with the key that sent them. Run the same command with that key first.`,
    );
  state.store('key', keyHash);
  state.store('workspace ID', workspaceId);
}

/** Checks the file, and stores its rows if all of them can be sent. Throws StartError if they can't, or if the state belongs to another import. */
const check = (prepared: Prepared, state: ImportState, { signal, out }: CommandContext): Promise<CheckReport> =>
  state.transact(async () => {
    const { args, file, mutation, converter, identity, pacer } = prepared;
    const { isCheck, skipsInvalid, sendsNew, keyColumn } = args;
    const { size, mtimeMs } = statSync(args.file);
    state.identify(identity);
    if (!isCheck) await checkKey(prepared, state);
    const isRepeated = state.recall(IMPORT_ID) !== undefined;
    const report = await checkFile({ file, converter, state, isRepeated, onRow: () => signal.throwIfAborted() });
    if (report.invalid > 0 && !skipsInvalid)
      throw new StartError(`${formatProblems(file, report)}Nothing was sent. Correct them, or add --skip-invalid to send the other rows.`);
    const doubtful = findDoubtfulRows(file, report, keyColumn);
    if (doubtful !== undefined && !sendsNew)
      throw new StartError(`${doubtful} Nothing was sent. Restore those rows, or add --send-new to send the new ones.`);
    const now = statSync(args.file);
    if (size !== now.size || mtimeMs !== now.mtimeMs) throw new StartError(`${args.file} was changed while it was checked. ${CONTINUE}`);
    if (isCheck) out(formatNotations(converter) + formatEstimate(report, mutation, state, pacer));
    return report;
  }, prepared.args.isCheck);

/** Sends the rows, and returns the exit code. */
async function send(
  prepared: Prepared,
  state: ImportState,
  { changed }: CheckReport,
  { signal, err, clock = systemClock, wait = delay }: CommandContext,
): Promise<number> {
  const { args, file, converter, client, pacer } = prepared;
  const expected = state.countOpen();
  const importId = state.remember(IMPORT_ID, randomUUID);
  const progress = new Progress({ pacer, output: err, form: args.progress, clock, expected, written: 0, callsPerRow: 1 });
  let sent = 0;
  const onRow = () => {
    sent += 1;
    progress.update(sent);
  };
  const sender = new Sender({ ...prepared, importId, state, wait, sha256, graphTimeMs: () => client.graphTimeMs, signal, onRow });
  try {
    await sender.send(readRows(file, converter, state));
  } finally {
    progress.update(sent, true);
    writeResults(args.out, state);
    err.write(formatSummary(state, args, pacer));
  }
  signal.throwIfAborted();
  if (changed > 0) err.write(`Rows that changed since they were sent, and weren’t sent again: ${number.format(changed)}.\n`);
  const isComplete = [...state.countByStatus().keys()].every((status) => APPLIED.has(status)) && changed === 0;
  return isComplete ? 0 : INCOMPLETE_STATUS;
}

/** Checks the rows of a file, and sends them unless it's only a check, which leaves nothing. */
async function importFile(prepared: Prepared, context: CommandContext): Promise<number> {
  const { isCheck, out } = prepared.args;
  const path = `${out}.state`;
  if (!isCheck) checkOut(prepared.args.file, out);
  const isTrial = isCheck && !isPresent(path);
  const release = isTrial ? () => {} : acquireLock(`${out}.lock`);
  let state: ImportState | undefined;
  try {
    state = new ImportState(isTrial ? ':memory:' : path);
    if (!isTrial && isPresent(out) && state.recall(IMPORT_ID) === undefined) throw createStateError(out, 'no import is stored in');
    const report = await check(prepared, state, context);
    return isCheck ? 0 : await send(prepared, state, report, context);
  } finally {
    state?.close();
    release();
  }
}

/** Converts failures of the graph and of files to errors without a stack trace. */
function toCommandError(error: unknown, { file, out }: ImportArguments): unknown {
  if (isDatabaseError(error)) return new StartError(`Can’t write ${out}.state: ${error.message}. ${CONTINUE}`, { cause: error });
  const known = error instanceof RequestError ? error : toFileError(error, 'FILE', file);
  if (!(known instanceof RequestError) && known === error) return error;
  return new StartError(`${escapeText((known as Error).message)} ${CONTINUE}`, { cause: error });
}

/** Opens the graph. `close` also stops it if it was started for the command. */
async function connect({ url, keyFile, share }: ImportArguments, context: CommandContext) {
  const { env, clock = systemClock, wait = delay } = context;
  const readKey = () => readCredential(keyFile, env);
  const keyHash = hashApiKey(getCaller(readKey()));
  const graph = await openGraph(url, context);
  const client = new GraphClient({ url: graph.url, readCredential: readKey, proxy: readProxy(env) });
  const pacer = new Pacer({ client, share, clock, wait, random: Math.random });
  const close = async () => {
    await client.close();
    await graph.close();
  };
  return { keyHash, client, pacer, upstreamUrl: graph.upstreamUrl, close };
}

/** Reads the custom fields of the workspace for a template. Without a key or a graph, the template lacks them. */
async function readTemplateFields(args: ImportArguments, context: CommandContext): Promise<readonly CustomField[]> {
  try {
    const { pacer, close } = await connect(args, context);
    return await readCustomFields(pacer).finally(close);
  } catch (error) {
    if (!(error instanceof StartError || error instanceof RequestError)) throw error;
    context.err.write(`The template lacks the workspace’s custom fields: ${escapeText(error.message)}\n`);
    return [];
  }
}

/** Runs `import` with its arguments, and returns its exit code. Throws StartError for problems that the user can fix. */
export async function runImportCommand(parameters: readonly string[], context: CommandContext): Promise<number> {
  const args = parseArguments(parameters);
  if (!args) {
    context.out(USAGE);
    return 0;
  }
  const schema = parseSchema(readFileSync(new URL('schema.graphql', PACKAGE_ROOT), 'utf8'));
  const mutation = requireMutation(schema, args.mutation, args.match);
  if (args.isTemplate) {
    context.out(formatTemplate(mutation, hasCustomFields(mutation) ? await readTemplateFields(args, context) : []));
    return 0;
  }
  const { keyColumn, format, notation } = args;
  const file = openTable(args.file, args.sheet);
  const headers = await readColumns(file);
  if (headers && keyColumn !== undefined && !headers.includes(keyColumn))
    throw new StartError(`The file has no column ${keyColumn}, which --key-column names.`);
  if (!headers && args.map !== undefined)
    throw new StartError('--map is for files with columns. JSON lines have the fields of the mutation.');
  if (!headers && args.match !== undefined) throw new StartError('--match is for files with columns. Give JSON lines the IDs of records.');
  const columns = headers ? resolveColumns(headers, keyColumn, readMap(args.map), mutation) : [];
  const { keyHash, client, pacer, upstreamUrl, close } = await connect(args, context);
  const mapping = [
    columns.map(({ header, path, lookup, template, constant, values }) => [header, path, lookup, template, constant, ...(values ?? [])]),
    notation,
  ];
  const identity = {
    mutation: mutation.name,
    format: isJsonLines(file) ? 'jsonl' : 'csv',
    ...(args.sheet !== undefined && { sheet: args.sheet }),
    mapping: hash('sha256', JSON.stringify(mapping)),
    'key column': keyColumn ?? '',
    ...(args.match !== undefined && { match: args.match }),
    workspace: upstreamUrl,
  };
  try {
    const storage = args.isCheck ? null : await readKeyStorage(pacer);
    if (storage?.isDurable === false && !args.allowsVolatile)
      throw new StartError(
        'The graph stores idempotency keys in memory, so rows could be applied twice after it restarts. Set its LEDGER_URL, or add --allow-volatile.',
      );
    const converter = await RowConverter.create(pacer, mutation, { file, columns, format, keyColumn, sha256 });
    return await importFile(
      { args, file, mutation, columns, converter, client, pacer, storageId: storage?.storageId ?? '', identity, keyHash },
      context,
    );
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw toCommandError(error, args);
    context.err.write(`${error.message} ${CONTINUE}\n`);
    return error.status;
  } finally {
    await close();
  }
}
