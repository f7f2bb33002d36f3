import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createGraph } from '../../../src/graph.ts';
import { computeCost } from '../../../src/schema/cost/cost.ts';
import { getSelectionNeed } from '../../../src/schema/kit/lookahead.ts';
import { collectFragments } from '../../../src/schema/kit/selections.ts';
import { getPlan } from '../../support/plans.ts';
import { QueryGenerator } from '../../support/randomQueries.ts';
import { SEED, scaleCases } from '../../support/seeded.ts';
import { createDice, type Dice } from '../fuzz/dice.ts';

const { schema } = createGraph();

type Variables = Record<string, unknown>;

const DOCUMENTS = scaleCases(150);
const LIMIT = 50;

/** The cost of an operation, computed or from the cache of its plan. */
const cachedCost = (document: DocumentNode, variables: Variables, limit: number, operationName?: string) =>
  getPlan({ schema, document, operationName }).costs.get(variables, () => computeCost(schema, document, operationName, variables, limit));

const generateDocument = (dice: Dice) => {
  const generator = new QueryGenerator(schema, dice.any);
  return { source: generator.generate(1 + dice.upTo(4)), variables: generator.variables };
};

/** Values of all kinds. Most don't match the type of a variable. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  3,
  100,
  -1,
  1.5,
  2 ** 31,
  '',
  'x',
  '3',
  [],
  [null],
  {},
  [{ __typename: 'Quote', rawId: 'q' }],
  { title: 'x' },
  { title: 1 },
];

/** Valid and invalid variables of a document in random order, some of them repeatedly. */
function listVariations(variables: Variables, dice: Dice): Variables[] {
  const changeVariables = (): Variables => {
    const entries = Object.entries(variables).flatMap(([name, value]) => {
      const to = dice.upTo(5);
      if (to === 0) return [];
      return [
        [
          name,
          to === 1 ? dice.pick(VALUES) : typeof value === 'boolean' ? dice.oneIn(2) : typeof value === 'number' ? dice.upTo(4) : value,
        ],
      ];
    });
    return Object.fromEntries(entries);
  };
  const without = Object.keys(variables).flatMap((name) => {
    const { [name]: _, ...others } = variables;
    return [others, { ...others, [name]: null }];
  });
  const all = [variables, {}, ...without, ...Array.from({ length: 6 }, changeVariables)];
  return Array.from({ length: 2 * all.length }, () => dice.pick(all));
}

describe('CostCache', () => {
  it('returns the computed cost, regardless of previous variables', () => {
    const costs = new Set<number | null>();
    for (let seed = SEED * 10_000; seed < SEED * 10_000 + DOCUMENTS; seed += 1) {
      const dice = createDice(seed);
      const { source, variables } = generateDocument(dice);
      const document = parse(source);
      for (const variableValues of listVariations(variables, dice)) {
        const computed = computeCost(schema, document, undefined, variableValues, LIMIT);
        const description = `SEED=${SEED}, document ${seed}: ${source}\n${JSON.stringify(variableValues)}`;
        expect(cachedCost(document, variableValues, LIMIT), description).toEqual(computed);
        costs.add(computed?.calls ?? null);
      }
    }
    // Rejected, free, and many different costs occurred.
    expect(costs.has(null) && costs.has(0) && costs.size > 10).toBe(true);
  });

  it('separates the costs of operations of one document', () => {
    const document = parse(
      'query A { customer(id: "x") { title } } query B { a: customer(id: "x") { title } b: contact(id: "x") { lastName } }',
    );
    for (let times = 0; times < 2; times += 1)
      expect(['A', 'B'].map((name) => cachedCost(document, {}, LIMIT, name)?.calls)).toEqual([1, 2]);
  });

  it('distinguishes combinations of variables with different costs', () => {
    const document = parse('query ($n: Int, $if: Boolean!) { customers(first: $n) { nodes { contact @include(if: $if) { lastName } } } }');
    for (const round of [1, 2]) {
      for (let n = 0; n <= 100; n += 1) {
        for (const variableValues of [
          { n, if: true },
          { n, if: false },
          { n: null, if: true },
          { if: false },
          { n: String(n), if: true },
          { n, if: null },
        ]) {
          expect([round, variableValues, cachedCost(document, variableValues, 1_000)]).toEqual([
            round,
            variableValues,
            computeCost(schema, document, undefined, variableValues, 1_000),
          ]);
        }
      }
    }
  });

  it('computes the cost of a mutation once for all valid inputs', () => {
    const document = parse('mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { __typename } }');
    let computed = 0;
    const getCost = (input: unknown) =>
      getPlan({ schema, document }).costs.get({ input }, () => {
        computed += 1;
        return computeCost(schema, document, undefined, { input }, LIMIT);
      });
    const inputs = [{ title: 'a' }, { title: 'b', idempotencyKey: 'k' }, { title: 1 }, {}, [], { title: 'c' }, null, { title: ['d'] }, 'e'];
    for (const input of inputs) expect(getCost(input)).toEqual(computeCost(schema, document, undefined, { input }, LIMIT));
    // One for valid inputs, and one each for invalid objects, null, and a string.
    expect(computed).toBe(4);
  });
});

interface TypedSelection {
  readonly node: FieldNode;
  readonly type: GraphQLObjectType;
}

/** The selections of a document with their possible types. */
function findSelections(document: DocumentNode): TypedSelection[] {
  const types = new TypeInfo(schema);
  const found: TypedSelection[] = [];
  const addSelections = (node: FieldNode) => {
    const type = getNamedType(types.getType());
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
    for (const objectType of possible) if (node.selectionSet && isObjectType(objectType)) found.push({ node, type: objectType });
  };
  visit(document, visitWithTypeInfo(types, { Field: addSelections }));
  return found;
}

const findNeeds = (document: DocumentNode, variableValues: Variables) =>
  findSelections(document).map(({ node, type }) =>
    getSelectionNeed({ fieldNodes: [node], fragments: collectFragments(document), schema, variableValues }, type),
  );

describe('cached needs of a selection', () => {
  it('equal the computed ones, regardless of previous variables', () => {
    const needs = new Map<string, number>();
    for (let seed = SEED * 10_000; seed < SEED * 10_000 + DOCUMENTS; seed += 1) {
      const dice = createDice(seed);
      const { source } = generateDocument(dice);
      const document = parse(source);
      for (let times = 0; times < 6; times += 1) {
        const variables = { yes: dice.oneIn(2), no: dice.oneIn(2) };
        const found = findNeeds(document, variables);
        expect(found, `SEED=${SEED}, document ${seed}: ${source}\n${JSON.stringify(variables)}`).toEqual(
          findNeeds(parse(source), variables),
        );
        for (const need of found) needs.set(need, (needs.get(need) ?? 0) + 1);
      }
    }
    expect(Math.min(...['keys', 'edges', 'record'].map((need) => needs.get(need) ?? 0))).toBeGreaterThan(50);
  });
});
