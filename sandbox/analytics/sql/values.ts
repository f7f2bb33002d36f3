import { create } from '@bufbuild/protobuf';
import { isInt64 } from '../../../src/lib/int64.ts';
import {
  type AnalyticsValue,
  AnalyticsValueSchema,
  AnalyticsFieldType as FieldType,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogField } from '../catalog.ts';
import type { Reader } from './reader.ts';
import type { Token } from './tokens.ts';

/** Expected values for each type of field, for messages. */
const EXPECTED: Readonly<Partial<Record<FieldType, string>>> = {
  [FieldType.TEXT]: 'a string in single quotes',
  [FieldType.INTEGER]: 'an integer',
  [FieldType.DECIMAL]: 'a number',
  [FieldType.BOOLEAN]: 'TRUE or FALSE',
  [FieldType.TIMESTAMP]: "a timestamp as a string, such as '2026-03-01T00:00:00Z'",
  [FieldType.DATE]: "a date as a string, such as '2026-03-01'",
};

/** Converts `0.95` to 95 with two decimal places. */
export function parseDigits(reader: Reader, token: Token, sign = ''): { readonly unscaled: bigint; readonly scale: number } {
  const [whole = '', fraction = ''] = token.value.split('.');
  const unscaled = BigInt(`${sign}${whole}${fraction}`);
  if (!isInt64(unscaled))
    throw reader.createError(token, 'this number has too many digits; expected digits that fit into a 64-bit integer');
  return { unscaled, scale: fraction.length };
}

function parseNumber(reader: Reader, { type }: CatalogField): AnalyticsValue {
  const sign = reader.takeSymbol('-') ? '-' : '';
  const { next: token } = reader;
  if (token.kind !== 'number') throw reader.createUnexpectedError('a number');
  const decimal = parseDigits(reader, reader.take(), sign);
  if (type === FieldType.DECIMAL) return create(AnalyticsValueSchema, { decimal });
  if (decimal.scale > 0) throw reader.createError(token, 'this number has a decimal point; expected an integer');
  return create(AnalyticsValueSchema, { integer: decimal.unscaled });
}

function createTextValue(text: string, type: FieldType): AnalyticsValue {
  if (type === FieldType.TIMESTAMP) return create(AnalyticsValueSchema, { timestamp: text });
  return create(AnalyticsValueSchema, type === FieldType.DATE ? { date: text } : { text });
}

const TEXTUAL: readonly FieldType[] = [FieldType.TEXT, FieldType.TIMESTAMP, FieldType.DATE];
const NUMERIC: readonly FieldType[] = [FieldType.INTEGER, FieldType.DECIMAL];

function parsePlainLiteral(reader: Reader, field: CatalogField): AnalyticsValue {
  const { type } = field;
  if (reader.next.kind === 'text' && TEXTUAL.includes(type)) return createTextValue(reader.take().value, type);
  if ((reader.next.kind === 'number' || reader.isSymbol('-')) && NUMERIC.includes(type)) return parseNumber(reader, field);
  if (type === FieldType.BOOLEAN && (reader.isWord('true') || reader.isWord('false')))
    return create(AnalyticsValueSchema, { boolean: reader.take().value === 'true' });
  if (type === FieldType.TEXT && reader.takeWord('current_member')) {
    reader.expectSymbol('(');
    reader.expectSymbol(')');
    return create(AnalyticsValueSchema, { currentMember: true });
  }
  if (reader.isWord('null')) throw reader.createError(reader.next, 'NULL equals nothing; expected IS NULL or IS NOT NULL after the field');
  throw reader.createUnexpectedError(EXPECTED[type] ?? 'no comparison of amounts, because their currencies differ');
}

/** A value that a field is compared with. The field's type determines the kind of value. */
export function parseLiteral(reader: Reader, field: CatalogField): AnalyticsValue {
  const { next: token } = reader;
  return reader.places.recordPosition(parsePlainLiteral(reader, field), token);
}
