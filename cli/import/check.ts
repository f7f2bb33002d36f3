import { quoteText } from '../../src/lib/printableText.ts';
import { StartError } from '../../src/lib/startup.ts';
import { MAX_SAMPLE, parseResult, type RowStore, type Sample, type StoredRow } from './rowStore.ts';
import type { IdentifiedRow, RowConverter, RowIdentity, RowProblem } from './rows.ts';
import { readTable, type TableFile, type TableRow } from './table.ts';

/** Number of rows whose references are looked up together. Chosen. */
const CHUNK = 100;

/** Number of kinds of problems that are listed. Chosen: a person corrects them by column. */
const MAX_GROUPS = 50;

/** Problems of a column that have the same reason. */
export interface ProblemGroup {
  readonly first: RowProblem;
  /** Lines of the others. */
  readonly others: Sample<number>;
}

/** Groups problems by column and reason, which is the message without its values. */
class ProblemGroups {
  readonly #groups = new Map<string, { readonly first: RowProblem; readonly others: { count: number; readonly first: number[] } }>();
  /** Problems of other groups than those that are listed. */
  others = 0;

  add(problem: RowProblem): void {
    const reason = `${problem.column}: ${problem.message.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, '')}`;
    const group = this.#groups.get(reason);
    if (group) {
      group.others.count += 1;
      if (group.others.first.length < MAX_SAMPLE) group.others.first.push(problem.line);
    } else if (this.#groups.size < MAX_GROUPS) this.#groups.set(reason, { first: problem, others: { count: 0, first: [] } });
    else this.others += 1;
  }

  list(): readonly ProblemGroup[] {
    return [...this.#groups.values()];
  }
}

/** What a check found. */
export interface CheckReport {
  readonly rows: number;
  readonly invalid: number;
  /** Rows whose content occurred before. */
  readonly repeated: number;
  /** Rows that update a matched record. */
  readonly updates: number;
  /** Lines of rows that an earlier run didn't have. None in the first one. */
  readonly added: Sample<number>;
  /** Rows that may be applied, whose content changed since, with `--key-column`. */
  readonly changed: number;
  /** Rows that may be applied, but that the file doesn't have anymore. */
  readonly missing: Sample<StoredRow>;
  readonly problems: readonly ProblemGroup[];
  /** Problems that `problems` doesn't have, because there are too many kinds. */
  readonly otherProblems: number;
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

/**
 * Reads the rows of a file with their identities: the value of `--key-column`, or the content and its occurrence. References of rows that may be applied aren't
 * looked up again, because the row itself may have changed them: what was sent is stored.
 */
export async function* readRows(file: TableFile, converter: RowConverter, state: RowStore): AsyncGenerator<IdentifiedRow> {
  state.restart();
  for await (const chunk of readChunks(file)) {
    const rows: (RowIdentity & { readonly row: TableRow; readonly occurrence: number; readonly wasSent: boolean })[] = [];
    for (const row of chunk) {
      const own = await converter.identify(row);
      const occurrence = state.countOccurrence(own.key ?? own.content);
      const identity = own.key === undefined ? `${own.content}#${occurrence}` : `=${own.key}`;
      rows.push({ ...own, row, identity, occurrence, wasSent: (state.find(identity)?.sentAt ?? null) !== null });
    }
    await converter.load(
      rows.filter(({ wasSent }) => !wasSent).map(({ row }) => row),
      state,
    );
    for (const { row, wasSent, ...own } of rows) {
      const { line } = row;
      const { input, problems } = converter.convert(row, own.key);
      const isRepeated = own.key !== undefined && own.key !== '' && own.occurrence > 1;
      const repeat = { line, column: null, message: `The key ${quoteText(own.key ?? '')} occurred before. Each row needs its own.` };
      const matched = findRepeatedMatch(converter, row, state);
      yield { ...own, line, input, problems: [...(wasSent ? [] : problems), ...(isRepeated ? [repeat] : []), ...matched] };
    }
  }
}

/** The problem of a row that is matched by the value of an earlier one. */
function findRepeatedMatch(converter: RowConverter, row: TableRow, state: RowStore): readonly RowProblem[] {
  const match = converter.readMatch(row);
  // Keys have no white space at their start, and contents have none.
  if (!match || state.countOccurrence(` ${match.value}`) === 1) return [];
  return [{ line: row.line, column: match.header, message: 'The value occurred before, so both rows would be for the same record.' }];
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
  readonly onRow: (row: IdentifiedRow) => void;
}

/** Checks all rows, and adds them to the state. Invalid rows are added with a result. */
export async function checkFile({ file, converter, state, isRepeated, onRow }: CheckOptions): Promise<CheckReport> {
  let [rows, invalid, repeated, added, changed, updates] = [0, 0, 0, 0, 0, 0];
  const firstAdded: number[] = [];
  const problems = new ProblemGroups();
  state.forgetLines();
  for await (const row of readRows(file, converter, state)) {
    rows += 1;
    if (row.occurrence > 1) repeated += 1;
    if (converter.isUpdate(row)) updates += 1;
    if (row.problems.length > 0) invalid += 1;
    for (const problem of row.problems) problems.add(problem);
    const known = state.find(row.identity);
    if (isRepeated && !known) {
      added += 1;
      if (firstAdded.length < MAX_SAMPLE) firstAdded.push(row.line);
    }
    if (known && known.sentAt !== null && known.content !== row.content) changed += 1;
    addRow(state, row);
    onRow(row);
  }
  if (rows === 0) throw new StartError(`${file.name} has no rows.`);
  const groups = { problems: problems.list(), otherProblems: problems.others };
  return {
    rows,
    invalid,
    repeated,
    updates,
    added: { count: added, first: firstAdded },
    changed,
    missing: state.removeMissing(),
    ...groups,
  };
}

const formatSample = ({ count, first }: Sample<string | number>): string => `${first.join(', ')}${count > first.length ? ', …' : ''}`;

/** Formats a row that may be applied: its status, and its records. */
function formatRow({ status, result }: StoredRow): string {
  const { ids = {}, candidates = [] } = parseResult(result) as { ids?: Record<string, string>; candidates?: readonly string[] };
  return [status, ...Object.values(ids), ...candidates].join(' ');
}

/**
 * Describes rows that may be changed versions of applied ones, and would be applied twice: some were added, and some that may be applied have disappeared.
 * Returns undefined if no row is affected, and with a key column, which identifies changed rows.
 */
export function findDoubtfulRows({ name }: TableFile, { added, missing }: CheckReport, keyColumn: string | undefined): string | undefined {
  if (keyColumn !== undefined || added.count === 0 || missing.count === 0) return undefined;
  const rows = formatSample({ ...missing, first: missing.first.map(formatRow) });
  return `${name} has ${added.count} new rows (lines ${formatSample(added)}), and lacks ${missing.count} that are or may be applied (${rows}). Changed versions of rows would be applied twice.`;
}

/** Lists problems by column and reason, a line each: the first one, and where the others are. */
export function formatProblems({ name }: TableFile, { problems, otherProblems, invalid }: CheckReport): string {
  const lines = problems.map(({ first: { line, column, message }, others }) => {
    const place = `${name}:${line}${column === null ? '' : `, column ${column}`}`;
    const also =
      others.count === 1 ? ` (also on line ${others.first[0]})` : ` (also ${others.count} times on lines ${formatSample(others)})`;
    return `${place}: ${message}${others.count > 0 ? also : ''}\n`;
  });
  const rest = otherProblems > 0 ? `${otherProblems} other problems.\n` : '';
  return `${lines.join('')}${rest}${invalid === 1 ? '1 row is' : `${invalid} rows are`} invalid.\n`;
}
