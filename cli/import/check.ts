import { StartError } from '../../src/lib/startup.ts';
import type { RowStore } from './rowStore.ts';
import type { IdentifiedRow, RowConverter, RowProblem } from './rows.ts';
import { readTable, type TableFile, type TableRow } from './table.ts';

/** Number of rows whose references are looked up together. Chosen. */
const CHUNK = 100;

/** Number of problems that are listed. Chosen: a person corrects them by column. */
const MAX_PROBLEMS = 50;

/** What a check found. */
export interface CheckReport {
  readonly rows: number;
  readonly invalid: number;
  /** Rows whose content occurred before. */
  readonly repeated: number;
  /** Rows that an earlier run didn't have. 0 in the first one. */
  readonly added: number;
  /** Rows whose content changed since an earlier run, with `--key-column`. */
  readonly changed: number;
  readonly problems: readonly RowProblem[];
}

async function* readChunks(file: TableFile): AsyncGenerator<readonly TableRow[]> {
  let chunk: TableRow[] = [];
  for await (const row of readTable(file)) {
    chunk.push(row);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Reads the rows of a file with their identities: the value of `--key-column`, or the content and its occurrence. */
export async function* readRows(file: TableFile, converter: RowConverter, state: RowStore): AsyncGenerator<IdentifiedRow> {
  state.restart();
  for await (const chunk of readChunks(file)) {
    await converter.load(chunk, state);
    for (const row of chunk) {
      const converted = await converter.convert(row);
      const { key, content } = converted;
      const occurrence = state.countOccurrence(key ?? content);
      const identity = key === undefined ? `${content}#${occurrence}` : `=${key}`;
      const repeat = { line: row.line, column: null, message: `The key ${JSON.stringify(key)} occurred before. Each row needs its own.` };
      const isRepeated = key !== undefined && key !== '' && occurrence > 1;
      yield { ...converted, identity, occurrence, problems: isRepeated ? [...converted.problems, repeat] : converted.problems };
    }
  }
}

/** Adds a row to the state. An invalid one has a result. One that wasn't sent can become valid, because its references are created. */
function addRow(state: RowStore, { identity, line, content, problems }: IdentifiedRow): void {
  const isValid = problems.length === 0;
  const result = isValid ? null : JSON.stringify({ problems: problems.map(({ column, message }) => ({ column, message })) });
  state.add({ identity, line, content, status: isValid ? null : 'INVALID', result });
}

interface CheckOptions {
  readonly file: TableFile;
  readonly converter: RowConverter;
  readonly state: RowStore;
  /** Whether an earlier run has checked the file. */
  readonly isRepeated: boolean;
  readonly sendsNew: boolean;
  readonly onRow: (row: IdentifiedRow) => void;
}

/** Checks all rows, and adds those that will be sent to the state. Invalid rows are added with a result. */
export async function checkFile({ file, converter, state, isRepeated, sendsNew, onRow }: CheckOptions): Promise<CheckReport> {
  let [rows, invalid, repeated, added, changed] = [0, 0, 0, 0, 0];
  state.resetChanged();
  const problems: RowProblem[] = [];
  for await (const row of readRows(file, converter, state)) {
    rows += 1;
    if (row.occurrence > 1) repeated += 1;
    if (row.problems.length > 0) invalid += 1;
    problems.push(...row.problems.slice(0, Math.max(0, MAX_PROBLEMS - problems.length)));
    const known = state.find(row.identity);
    if (isRepeated && !known) added += 1;
    if (known && known.content !== row.content) {
      changed += 1;
      state.markChanged(row.identity);
    }
    if (known || !isRepeated || sendsNew) addRow(state, row);
    onRow(row);
  }
  if (rows === 0) throw new StartError(`${file.name} has no rows.`);
  return { rows, invalid, repeated, added, changed, problems };
}

/** Lists problems, a line each. */
export function formatProblems({ name }: TableFile, { problems, invalid }: CheckReport): string {
  const lines = problems.map(({ line, column, message }) => `${name}:${line}${column === null ? '' : `, column ${column}`}: ${message}`);
  return `${lines.join('\n')}\n${problems.length === MAX_PROBLEMS ? '…\n' : ''}${invalid} invalid rows.\n`;
}
