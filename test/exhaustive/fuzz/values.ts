import fc from 'fast-check';
import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType, isRequiredInputField } from 'graphql';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { type Dice, TEXTS } from './dice.ts';

const RECORDS = ['customer', 'contact', 'quote', 'order', 'product', 'location', 'receipt', 'discount', 'portfolio'];

function generateId(dice: Dice): unknown {
  const kind = dice.pick(RECORDS);
  const raw = demoId(`${kind} ${dice.upTo(2)}`);
  const type = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
  return dice.pick([raw, raw, toGlobalId(type, raw), toGlobalId('Nothing', raw), toGlobalId(type, '../x'), dice.pick(TEXTS)]);
}

/** Generators of mostly valid values by scalar. */
const SCALARS: Readonly<Record<string, (dice: Dice) => unknown>> = {
  ID: generateId,
  Int: (dice) => dice.pick([0, 1, 2, 5, 100, 101, -1, 2 ** 31 - 1, 2 ** 31]),
  Float: (dice) => dice.pick([0, 1.5, -90, 181, 1e300]),
  Boolean: (dice) => dice.oneIn(2),
  Int64: (dice) => dice.pick(['0', '1', '100', '-1', '9223372036854775807', '9223372036854775808', 5]),
  Version: (dice) => dice.pick(['1', '2', '999', ' 1', 'abc', '']),
  Decimal: (dice) => dice.pick(['1', '0.5', '-2', '1e3']),
  Date: (dice) => dice.pick(['2026-03-02', '2026-02-30', '0000-01-01', '2026-3-2']),
  JSON: (dice) => dice.any(fc.jsonValue, { maxDepth: 4 }),
};

/** A random value for an input type. Occasionally, it has another type. */
export function generateValue(type: GraphQLInputType, dice: Dice, depth = 4): unknown {
  if (isNonNullType(type)) return dice.oneIn(40) ? null : generateValue(type.ofType, dice, depth);
  if (dice.oneIn(25))
    return dice.pick<unknown>([null, 5, 'x', true, [], {}, [[[]]], { __proto__: null, constructor: 1 }, dice.pick(TEXTS)]);
  if (isListType(type)) return dice.list(3, () => generateValue(type.ofType, dice, depth - 1));
  if (isEnumType(type)) return dice.pick([...type.getValues().map(({ name }) => name), 'NOTHING']);
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isRequiredInputField(field) || (depth > 0 && dice.oneIn(2)));
    const entries = fields.map((field) => [field.name, generateValue(field.type, dice, depth - 1)]);
    if (dice.oneIn(60)) entries.push([dice.pick(TEXTS), 1]);
    return Object.fromEntries(type.isOneOf && entries.length > 1 && !dice.oneIn(10) ? entries.slice(0, 1) : entries);
  }
  return SCALARS[type.name]?.(dice) ?? dice.pick(TEXTS);
}
