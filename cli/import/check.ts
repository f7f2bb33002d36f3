import { StartError } from '../../src/lib/startup.ts';
import type { IdentifiedRow, RowConverter, RowProblem } from './rows.ts';
import type { ImportState } from './state.ts';
import { readTable, type TableRow } from './table.ts';

/** Number of rows whose references are looked up together. Chosen. */
const CHUNK = 100;

/** Number of problems that are printed. Chosen: a person corrects them by column. */
const MAX_PRINTED = 50;

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

async function* readChunks(file: string): AsyncGenerator<readonly TableRow[]> {
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
export async function* readRows(file: string, converter: RowConverter, state: ImportState): AsyncGenerator<IdentifiedRow> {
  state.restart();
  for await (const chunk of readChunks(file)) {
    await converter.load(chunk, state);
    for (const row of chunk) {
      const converted = converter.convert(row);
      const { key, content } = converted;
      const occurrence = state.countOccurrence(key ?? content);
      const identity = key === undefined ? `${content}#${occurrence}` : `=${key}`;
      const repeat = { line: row.line, column: null, message: `The key ${JSON.stringify(key)} occurred before. Each row needs its own.` };
      const isRepeated = key !== undefined && key !== '' && occurrence > 1;
      yield { ...converted, identity, occurrence, problems: isRepeated ? [...converted.problems, repeat] : converted.problems };
    }
  }
}

interface CheckOptions {
  readonly file: string;
  readonly converter: RowConverter;
  readonly state: ImportState;
  /** Whether an earlier run has checked the file. */
  readonly isRepeated: boolean;
  readonly sendsNew: boolean;
  readonly onRow: () => void;
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
    problems.push(...row.problems.slice(0, Math.max(0, MAX_PRINTED - problems.length)));
    const known = state.find(row.identity);
    if (isRepeated && !known) added += 1;
    if (known && known.content !== row.content) {
      changed += 1;
      state.markChanged(row.identity);
    }
    if (known || !isRepeated || sendsNew) state.add(row);
    onRow();
  }
  if (rows === 0) throw new StartError(`${file} has no rows.`);
  return { rows, invalid, repeated, added, changed, problems };
}

/** Lists problems, a line each. */
export function formatProblems(file: string, { problems, invalid }: CheckReport): string {
  const lines = problems.map(({ line, column, message }) => `${file}:${line}${column === null ? '' : `, column ${column}`}: ${message}`);
  return `${lines.join('\n')}\n${problems.length === MAX_PRINTED ? '…\n' : ''}${invalid} invalid rows.\n`;
}
