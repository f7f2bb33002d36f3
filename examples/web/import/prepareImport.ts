import type { ApolloClient } from '@apollo/client';
import { RequestError } from '../../../cli/bulk/graphResponse.ts';
import { Pacer } from '../../../cli/bulk/pacer.ts';
import type { CellFormat } from '../../../cli/import/cells.ts';
import { type CheckReport, checkFile, findDoubtfulRows, readRows } from '../../../cli/import/check.ts';
import { type InputColumn, NO_MAP, resolveColumns } from '../../../cli/import/columns.ts';
import { type CustomField, readCustomFields } from '../../../cli/import/customFields.ts';
import type { ImportMutation } from '../../../cli/import/mutations.ts';
import type { RowResult, StoredRow } from '../../../cli/import/rowStore.ts';
import { type IdentifiedRow, RowConverter } from '../../../cli/import/rows.ts';
import { readKeyStorage, Sender } from '../../../cli/import/send.ts';
import { readColumns, readTable, type TableFile } from '../../../cli/import/table.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { StartError } from '../../../src/lib/startup.ts';
import { BrowserStore } from './browserStore.ts';
import { type ColumnChoice, toMap } from './columnChoice.ts';
import { GraphLink } from './graphLink.ts';
import { createTable } from './tableFile.ts';

/** Chosen: the tab must stay open while rows are sent, which takes minutes. */
export const MAX_ROWS = 2_000;
const MAX_BYTES = 8 * 1024 ** 2;

/** Number of rows that are displayed. Chosen: a person corrects a file by its first problems. */
const MAX_DISPLAYED = 100;

/** The default of the command. */
const SHARE = 0.5;

/** What a user chooses before the file is checked. */
export interface ImportSettings {
  readonly mutation: ImportMutation;
  readonly file: File;
  /** Name of the sheet of a workbook. */
  readonly sheet: string | undefined;
  readonly format: CellFormat;
  /** What changes the meaning of cells, as text. */
  readonly notation: string;
  /** What the columns are for, if the user has chosen it. */
  readonly choice: ColumnChoice | null;
}

/** The beginning of a file, to choose what its columns are for. */
export interface TableStart {
  readonly headers: readonly string[];
  /** Cells of the first rows, by header. */
  readonly rows: readonly ReadonlyMap<string, string>[];
}

/** Number of rows in the preview of a file. Chosen: enough to recognize a column. */
const PREVIEW_ROWS = 3;

/** A file that was checked, and what this browser knows of its rows. */
export interface PreparedImport {
  readonly report: CheckReport;
  /** Describes new rows that may be changed versions of applied ones. Null if the file has no such rows. */
  readonly doubtful: string | null;
  readonly columns: readonly InputColumn[];
  /** How the numbers and dates of columns are read. */
  readonly notations: readonly string[];
  /** The first rows to display: invalid ones, and then the others. */
  readonly displayed: readonly IdentifiedRow[];
  /** Whether the graph's idempotency keys survive a restart. */
  readonly isDurable: boolean;
  readonly isStarted: boolean;
  /** The rows of the file that were or can be sent. */
  readonly list: () => readonly StoredRow[];
  readonly pacer: Pacer;
  /** Sends the rows that have no final result, and calls `onRow` after each. When it's aborted, it ends after the rows in flight. Rejects if the graph can't be used. */
  readonly run: (signal: AbortSignal, onRow: (result: RowResult) => void) => Promise<void>;
  /** Allows another tab to import the file, after the current run has ended. */
  readonly close: () => Promise<void>;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '');
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Acquires a lock, so that two tabs don't import the same file. Returns a function that releases it. The browser releases those of a tab that crashes. */
const acquireLock = (name: string, fileName: string): Promise<() => void> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (!lock) throw new StartError(`Another tab has opened ${fileName} for the same import. Close it there.`);
        const { promise, resolve: release } = Promise.withResolvers<void>();
        resolve(release);
        return promise;
      })
      .catch(reject);
  });

/** What the graph stores idempotency keys by: the workspace, or the API key if the workspace is unknown. Throws StartError if both are. */
async function readOwner(pacer: Pacer): Promise<{ readonly owner: string; readonly apiKey: string }> {
  const { data } = await pacer.request('{ viewer { workspace { rawId } apiKey { rawId } } }', {}, { calls: 1, depth: 1 });
  const apiKey: string = data.viewer?.apiKey?.rawId ?? '';
  const owner: string = data.viewer?.workspace?.rawId ?? apiKey;
  if (owner === '')
    throw new StartError('The graph doesn’t return which workspace the API key belongs to. Use the command workspace-graph import.');
  return { owner, apiKey };
}

/** Throws StartError if the import was started with other values, such as another API key, which can't receive the results of the first one. */
function checkIdentity({ stored }: BrowserStore, identity: Readonly<Record<string, string>>, fileName: string): void {
  const other = Object.keys(identity).find((name) => stored && stored.identity[name] !== identity[name]);
  if (other === undefined) return;
  throw new StartError(
    `This browser has imported ${fileName} with another ${other}. Use that one again, or rename the file to send all of its rows again.`,
  );
}

/** Selects the rows to display. */
function createDisplay() {
  const [invalid, valid]: [IdentifiedRow[], IdentifiedRow[]] = [[], []];
  return {
    add: (row: IdentifiedRow) => {
      const rows = row.problems.length > 0 ? invalid : valid;
      if (rows.length < MAX_DISPLAYED) rows.push(row);
    },
    list: () => [...invalid, ...valid].slice(0, MAX_DISPLAYED),
  };
}

const explainSize = ({ name }: File) =>
  `The page imports files of up to ${MAX_ROWS.toLocaleString('en')} rows and 8 MB. Use the command workspace-graph import for ${name}.`;

const createPacer = (link: GraphLink): Pacer => new Pacer({ client: link, share: SHARE, clock: systemClock, wait, random: Math.random });

/** Reads the custom fields of the workspace. Empty if the user can't read them. */
export const readWorkspaceFields = (client: ApolloClient): Promise<readonly CustomField[]> =>
  readCustomFields(createPacer(new GraphLink(client))).catch((error: unknown) => {
    if (error instanceof RequestError) return [];
    throw error;
  });

async function openFile(file: File, sheet: string | undefined): Promise<TableFile> {
  if (file.size > MAX_BYTES) throw new StartError(explainSize(file));
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    throw new StartError(`${file.name} can’t be read, because it was changed or moved. Choose it again.`, { cause });
  });
  return createTable(file.name, new Uint8Array(bytes), sheet);
}

/** Reads the beginning of a file. Null if its rows have no columns. */
export async function readStart(file: File, sheet: string | undefined): Promise<TableStart | null> {
  const table = await openFile(file, sheet);
  const headers = await readColumns(table);
  if (!headers) return null;
  const rows: ReadonlyMap<string, string>[] = [];
  for await (const { cells } of readTable(table)) {
    if (cells) rows.push(cells);
    if (rows.length === PREVIEW_ROWS) break;
  }
  return { headers, rows };
}

/** Checks a file. Throws StartError or RequestError if it can't be imported. */
export async function prepareImport(client: ApolloClient, settings: ImportSettings): Promise<PreparedImport> {
  // Other pages have neither locks nor digests.
  if (!isSecureContext)
    throw new StartError('An import needs HTTPS. Open this page by an https URL, or on its own computer by http://localhost.');
  const { mutation, file, sheet, format, notation, choice } = settings;
  const table = await openFile(file, sheet);
  const headers = await readColumns(table);
  const columns = headers ? resolveColumns(headers, undefined, choice ? toMap(choice) : NO_MAP, mutation) : [];
  const link = new GraphLink(client);
  let running: Promise<void> = Promise.resolve();
  const pacer = createPacer(link);
  const { isDurable, storageId } = await readKeyStorage(pacer);
  const { owner, apiKey } = await readOwner(pacer);
  const key = JSON.stringify([owner, mutation.name, file.name]);
  const release = await acquireLock(`import ${key}`, file.name);
  let store: BrowserStore | undefined;
  const close = async () => {
    await running.catch(() => undefined);
    store?.close();
    release();
  };
  try {
    store = await BrowserStore.open(key);
    const state = store;
    const identity = { header: JSON.stringify(choice ? [headers, choice] : headers), notation, 'API key': apiKey };
    checkIdentity(state, identity, file.name);
    const converter = await RowConverter.create(pacer, mutation, { file: table, columns, format, keyColumn: undefined, sha256 });
    const display = createDisplay();
    let count = 0;
    const onRow = (row: IdentifiedRow) => {
      count += 1;
      if (count > MAX_ROWS) throw new StartError(explainSize(file));
      display.add(row);
    };
    const report = await checkFile({ file: table, converter, state, isRepeated: state.stored !== null, onRow });
    return {
      report,
      doubtful: findDoubtfulRows(table, report, undefined) ?? null,
      // The column that records are matched by is one of the others, too.
      columns: columns.filter(({ isOptional }) => !isOptional),
      notations: converter.notations,
      displayed: display.list(),
      isDurable,
      isStarted: state.stored !== null,
      list: () => state.list(),
      pacer,
      run: (signal, onRow) => {
        const send = async () => {
          const { importId } = await state.start(identity);
          const options = { mutation, columns, importId, storageId, sha256, state, pacer, wait, signal, onRow };
          await new Sender({ ...options, graphTimeMs: () => link.graphTimeMs }).send(readRows(table, converter, state));
        };
        running = send();
        return running;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Why a file can't be checked or sent. */
export function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === 'SecurityError')
    return 'This browser blocks storage, and an import stores what it sends, so that each row is sent once. Allow this page to store data, and try again.';
  return error instanceof Error ? error.message : String(error);
}
