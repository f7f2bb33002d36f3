import { UnsupportedError } from '../../failures/failures.ts';
import { floorSeconds, parseInstant } from '../../lib/instant.ts';
import type { Index, IndexColumns, MessageField } from '../../upstream/contract/fields.ts';
import { indexes } from '../../upstream/contract/generated/messages.ts';
import type { AnalyticsCell, AnalyticsMoney, AnalyticsResult } from '../../upstream/contract/generated/records.ts';
import { scaleToMinorUnits } from '../kit/money.ts';
import type { IndexRow } from './keyset.ts';

/** Returns an index of the contract by the name of its root. */
export function getIndex(root: string): Index {
  const index = (indexes as Readonly<Record<string, Index>>)[root];
  if (!index) throw new Error(`The contract has no index ${root}.`);
  return index;
}

const isReady = ({ status }: AnalyticsCell) => status === 'ANALYTICS_CELL_STATUS_READY';
const isEmpty = ({ status }: AnalyticsCell) => status === 'ANALYTICS_CELL_STATUS_NULL';

/** A row of an index, with its cells by column. */
export interface CellRow extends IndexRow {
  readonly getCell: (column: string) => AnalyticsCell | undefined;
}

/** Returns the rows of a result. A row without an ID has an empty one. */
export function toCellRows({ columns, rows }: AnalyticsResult): readonly CellRow[] {
  const positions = new Map(columns.map(({ id }, position) => [id, position]));
  return rows.map(({ cells }) => {
    const getCell = (column: string) => cells[positions.get(column) ?? -1];
    const getValue = (column: string) => {
      const cell = getCell(column);
      if (!cell || !isReady(cell)) return null;
      const value: unknown = cell.timestamp ?? cell.integer ?? cell.text;
      return value === undefined ? null : String(value);
    };
    return { id: getValue('id') ?? '', getCell, getValue };
  });
}

function toSeconds(timestamp: string | undefined): string | undefined {
  const instant = timestamp === undefined ? undefined : parseInstant(timestamp);
  return instant === undefined ? undefined : String(floorSeconds(instant));
}

const toMinor = ({ amount, currency }: AnalyticsMoney): string | undefined => amount && scaleToMinorUnits(amount, currency);

/** Converts a cell to a member of a record. Undefined if it can't be represented there. */
function toMember({ kind, unit }: MessageField, cell: AnalyticsCell): unknown {
  if (unit === 'MOMENT') return toSeconds(cell.timestamp);
  if (unit === 'MINOR') return cell.money && toMinor(cell.money);
  if (kind === 'int') return cell.integer === undefined ? undefined : Number(cell.integer);
  if (kind === 'int64') return cell.integer;
  if (kind === 'bool') return cell.boolean;
  return cell.text;
}

/** Converts a cell to a member of a record. Null if it's empty, undefined if its value isn't available or can't be represented. */
export function toMemberValue(field: MessageField, cell: AnalyticsCell | undefined): unknown {
  if (!cell) return undefined;
  if (isEmpty(cell)) return null;
  return isReady(cell) ? toMember(field, cell) : undefined;
}

/** The members of a record that a row has. */
interface RowMembers {
  /** As in the upstream's JSON, where members without a value are absent. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Members whose value isn't available or can't be represented, as for amounts that aren't settled: only the record has it. */
  readonly missing: readonly string[];
}

/** Converts the columns of a row to members of its record. */
export function toRecordMembers({ record }: Index, columns: IndexColumns, row: CellRow): RowMembers {
  const members: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const [name, column] of Object.entries(columns)) {
    const value = toMemberValue(record.fields[name] as MessageField, row.getCell(column));
    if (value === undefined) missing.push(name);
    else if (value !== null) members[name] = value;
  }
  return { members, missing };
}

/** Makes the fields that read a member fail, because its value isn't known. */
export function markAsMissing(record: object, member: string): void {
  const get = () => {
    throw new UnsupportedError('The analytics index doesn’t have this value now. Omit `indexOnly` to read the record.');
  };
  Object.defineProperty(record, member, { get, enumerable: true });
}
