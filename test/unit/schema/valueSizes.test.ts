import { describe, expect, it } from 'vitest';
import { tokenizeSql } from '../../../src/schema/analytics/sqlTokens.ts';
import { getComparedLiterals } from '../../../src/schema/analytics/wireSql.ts';
import { findProblem } from '../../../src/schema/kit/jsonValues.ts';
import { SizeCheck } from '../../../src/schema/kit/valueSizes.ts';
import { OrderSearch } from '../../../src/schema/sales/orderSearch.ts';
import { getGraph } from '../../support/getGraph.ts';

const { schema } = getGraph();

const fill = <Item>(length: number, item: Item) => Array.from({ length }, () => item);

/** Wraps a value so that each read of a member is counted. */
function countReads<Value extends object>(value: Value): { readonly value: Value; readonly getCount: () => number } {
  let count = 0;
  const wrap = <Inner>(inner: Inner): Inner =>
    typeof inner === 'object' && inner !== null
      ? (new Proxy(inner, {
          get: (target, name) => {
            count += 1;
            return wrap(Reflect.get(target, name));
          },
        }) as Inner)
      : inner;
  return { value: wrap(value), getCount: () => count };
}

/** How many values are visited for inputs of this size. */
type Measure = (size: number) => number;

function measureReads<Value extends object>(create: (size: number) => Value, act: (value: Value) => unknown): Measure {
  return (size) => {
    const { value, getCount } = countReads(create(size));
    act(value);
    return getCount();
  };
}

const quoteInput = schema.getMutationType()?.getFields().quoteCreate?.args[0];
const readLiterals = (tokens: ReturnType<typeof tokenizeSql>) =>
  Array.from({ length: tokens.length }, (_, index) => getComparedLiterals(tokens, index));

const MEASURES: readonly (readonly [name: string, measure: Measure])[] = [
  [
    'sizes of variables',
    (size) => {
      const check = new SizeCheck();
      check.find({ lines: fill(size, { productId: 'x', quantity: 1, unknown: {} }) }, quoteInput);
      return check.visited;
    },
  ],
  [
    'sizes of variables, as read',
    measureReads(
      (size) => ({ lines: fill(size, { productId: 'x' }) }),
      (value) => new SizeCheck().find(value, quoteInput),
    ),
  ],
  ['keys of variables', measureReads((size) => fill(size, { a: [1] }), findProblem)],
  ['unclosed lists in SQL', measureReads((size) => tokenizeSql(`select x from orders where ${'status in ('.repeat(size)}`), readLiterals)],
  [
    'a list in SQL',
    measureReads((size) => tokenizeSql(`select x from orders where status in (${fill(size, "'A'").join()})`), readLiterals),
  ],
  [
    'conditions of a search',
    measureReads(
      (size) => ({ or: fill(size, { statuses: ['CONFIRMED'] }) }),
      (value) => OrderSearch.filter.toCondition(value),
    ),
  ],
];

describe('value scanners', () => {
  it.each(MEASURES)('visits twice as many for twice the size: %s', (_name, measure) => {
    const [once, twice] = [measure(20), measure(40)];
    expect(once).toBeGreaterThan(20);
    expect(twice).toBeLessThanOrEqual(2 * once);
  });

  it('stops at the first excess', () => {
    const check = new SizeCheck();
    const excess = check.find({ lines: fill(20_000, {}), title: 'x' }, quoteInput);
    expect([check.visited, excess?.path]).toEqual([2, ['lines']]);
  });

  it('stops at the limit of all values, with the path of the argument', () => {
    const check = new SizeCheck();
    const excess = check.find(fill(900, fill(900, 1)), undefined);
    expect([check.visited, excess]).toEqual([6_001, { path: [], limit: 6_000, message: expect.any(String) }]);
  });
});

describe('tokenizeSql', () => {
  it('assigns each name to the entity of its own query', () => {
    const tokens = tokenizeSql('select a, (select b from orders where c) from customers where d');
    expect(tokens.filter(({ value }) => /^[a-d]$/.test(value)).map(({ value, entity }) => [value, entity])).toEqual([
      ['a', 'customers'],
      ['b', 'orders'],
      ['c', 'orders'],
      ['d', 'customers'],
    ]);
  });
});
