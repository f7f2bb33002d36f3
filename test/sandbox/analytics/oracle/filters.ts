import {
  type AnalyticsComparison,
  type AnalyticsFilter,
  type AnalyticsValue,
  AnalyticsOperator as Operator,
} from '../../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { parseTimestamp } from './moments.ts';
import type { Records, Row } from './rows.ts';
import { compareValues, isEmpty, type Value } from './values.ts';

/** The records, time and member that a query is evaluated for. */
export interface Situation {
  readonly records: Records;
  /** Unix seconds. */
  readonly now: number;
  /** ID of the member behind the API key. */
  readonly memberId: string;
  /** Time zone of the workspace. */
  readonly zone: string;
}

function toExpectedValue({ now, memberId }: Situation, value: AnalyticsValue): Value {
  if (value.text !== undefined) return { text: value.text };
  if (value.integer !== undefined) return { integer: value.integer };
  if (value.decimal) return { decimal: value.decimal };
  if (value.boolean !== undefined) return { boolean: value.boolean };
  if (value.timestamp !== undefined) return { moment: parseTimestamp(value.timestamp) };
  if (value.currentMember) return { text: memberId };
  if (value.nowOffsetSeconds !== undefined) return { moment: (BigInt(now) + value.nowOffsetSeconds) * 1_000_000n };
  throw new Error('The oracle knows no such value.');
}

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function contains(actual: Value, part: Value): boolean {
  if (isEmpty(actual) || isEmpty(part) || !('text' in actual) || !('text' in part)) throw new Error('Only texts contain others.');
  // As everywhere in the sandbox, the case of A to Z is ignored.
  return lower(actual.text).includes(lower(part.text));
}

function matchesComparison(situation: Situation, { field, operator, values }: AnalyticsComparison, row: Row): boolean {
  const actual = row[field];
  if (actual === undefined) throw new Error(`The oracle knows no field ${field}.`);
  if (operator === Operator.IS_NULL) return isEmpty(actual);
  if (isEmpty(actual)) return false;
  if (operator === Operator.IS_NOT_NULL) return true;
  const orders = values.map((value) => () => compareValues(actual, toExpectedValue(situation, value)));
  const first = orders[0] ?? (() => Number.NaN);
  switch (operator) {
    case Operator.EQ:
      return first() === 0;
    case Operator.NEQ:
      return first() !== 0;
    case Operator.LT:
      return first() < 0;
    case Operator.LTE:
      return first() <= 0;
    case Operator.GT:
      return first() > 0;
    case Operator.GTE:
      return first() >= 0;
    case Operator.IN:
      return orders.some((order) => order() === 0);
    case Operator.NOT_IN:
      return orders.every((order) => order() !== 0);
    case Operator.CONTAINS:
      return values.every((value) => contains(actual, toExpectedValue(situation, value)));
    default:
      throw new Error(`The oracle knows no operator ${operator}.`);
  }
}

/** Whether a row of a root matches a filter. Without a filter, every row matches. */
export function matchesFilter(situation: Situation, entity: string, filter: AnalyticsFilter | undefined, row: Row): boolean {
  if (!filter) return true;
  const { all, any, compare, related } = filter;
  if (all) return all.children.every((child) => matchesFilter(situation, entity, child, row));
  if (any) return any.children.some((child) => matchesFilter(situation, entity, child, row));
  if (compare) return matchesComparison(situation, compare, row);
  if (!related) throw new Error('The filter has no form.');
  const { entity: other, joins } = situation.records.relationship(entity, related.relationship);
  return situation.records
    .rows(other)
    .some((candidate) => joins(row, candidate) && matchesFilter(situation, other, related.filter, candidate));
}
