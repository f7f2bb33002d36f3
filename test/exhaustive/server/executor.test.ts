import { setImmediate as turn } from 'node:timers/promises';
import { type DocumentNode, type ExecutionResult, execute, GraphQLError, Kind, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '../../../src/context.ts';
import { createGraph } from '../../../src/graph.ts';
import { canonicalJson } from '../../../src/lib/canonicalJson.ts';
import { computeCost } from '../../../src/schema/cost/cost.ts';
import { type Execute, Executor, loadCompiler } from '../../../src/server/execution/executor.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import type { UpstreamOptions } from '../../../src/upstream/options.ts';
import { type Corruption, createCorruptedUpstream } from '../../support/corruptedUpstream.ts';
import { memoryLedger } from '../../support/memoryLedger.ts';
import { getPlan } from '../../support/plans.ts';
import { cases, SEED } from '../../support/seeded.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';
import { createDice, type Dice } from '../fuzz/dice.ts';
import { generateOperation } from '../fuzz/documents.ts';

const { schema } = createGraph();

type Variables = Readonly<Record<string, unknown>>;

interface Query {
  readonly document: DocumentNode;
  readonly variables: Variables;
}

/** Options under which calls don't fail because of previous calls, whose order can differ. */
const UNTIRING: Partial<UpstreamOptions> = { breaker: null, retryBudget: { start: 1e9, share: 1, max: 1e9 }, wait: async () => {} };

/**
 * Describes an error. If it's inside of something that became null, only the path of that null: the specification requires just one of these errors, and which
 * of them occur depends on what is already known.
 */
function shownError(error: GraphQLError, data: unknown): string {
  const path = error.path ?? [];
  let value = data;
  for (const [depth, key] of path.entries()) {
    if (value === null) return `something within ${JSON.stringify(path.slice(0, depth))}`;
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return canonicalJson(error.toJSON());
}

/** The result with sorted errors, because errors are ordered by when they occur. */
const unordered = ({ errors = [], ...rest }: ExecutionResult) =>
  canonicalJson({ ...rest, errors: [...new Set(errors.map((error) => shownError(error, rest.data)))].sort() });

/** Turns of the event loop after which no more calls follow. */
const TURNS = 5;

/** Waits until a count no longer changes. If a field becomes null, the executor still reads its sibling fields without waiting for them. */
async function quiet(count: () => number): Promise<void> {
  let before = -1;
  for (let turns = 0; turns < TURNS; turns += 1) {
    if (count() !== before) turns = 0;
    before = count();
    await turn();
  }
}

/** Executes queries with both executors and an upstream that returns the same response each time. */
function openLaboratory(seed: number, spoiling: Corruption) {
  const { transport, sent } = createCorruptedUpstream(seed, spoiling);
  // Without list batching: the first execution would learn about lists, which changes the calls of the next one.
  const upstream = createUpstream({ transport, timeoutMs: 20_000, callsPerRequest: 100_000, hasListBatching: false, ...UNTIRING });
  const ledger = memoryLedger();
  const executor = new Executor(1);
  const argsOf = ({ document, variables }: Query) => ({
    schema,
    document,
    variableValues: variables,
    contextValue: createContext(upstream.openSession('demo-owner', 'test'), ledger, 1e9),
  });
  const watched = async (act: () => unknown) => {
    const before = sent.length;
    const answer = (await act()) as ExecutionResult;
    await quiet(() => sent.length);
    return { answer, calls: sent.slice(before) };
  };
  return {
    /** Executes the compiled query, and then the same query with graphql-js, which must not need any other call. */
    compiled: async (query: Query) => {
      const args = argsOf(query);
      let isCompiled = true;
      const otherwise: Execute = (given) => {
        isCompiled = false;
        return execute(given);
      };
      const first = await watched(() => executor.execute(getPlan(args), args, otherwise));
      const again = await watched(() => execute(args));
      return { ...first, isCompiled, again };
    },
    usual: (query: Query) => watched(() => execute(argsOf(query))),
    close: async () => {
      await upstream.close();
      await ledger.close();
    },
  };
}

/** Maximum cost of a query. More expensive ones take long without testing more. */
const MAX_COST = 1_000;

/** Null if the document is invalid or the validation fails. For example, fragments can exceed the stack. */
function validIn(text: string): DocumentNode | null {
  try {
    const document = parse(text);
    return validate(schema, document).length === 0 ? document : null;
  } catch {
    return null;
  }
}

/** A random valid query. Null if the generated operation isn't one. */
function queryOf(dice: Dice): Query | null {
  const { query, variables } = generateOperation(schema, dice);
  const document = validIn(query);
  if (!document) return null;
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const [first] = operations;
  if (first?.kind !== Kind.OPERATION_DEFINITION || first.operation !== 'query' || operations.length > 1) return null;
  if (typeof variables !== 'object' || variables === null || /@(defer|stream)/.test(query)) return null;
  const cost = computeCost(schema, document, undefined, variables as Variables, MAX_COST);
  return cost === null ? null : { document, variables: variables as Variables };
}

/** The query, and the same query with some variables changed, null, or omitted. */
function variations({ document, variables }: Query, dice: Dice): Query[] {
  const changed = () =>
    Object.entries(variables).flatMap(([name, value]) => {
      const to = dice.upTo(5);
      if (to === 0) return [];
      if (typeof value === 'boolean') return [[name, dice.oneIn(2)]];
      return [[name, to === 1 ? null : to === 2 && dice.oneIn(3) ? 'x' : value]];
    });
  return [
    { document, variables },
    { document, variables: Object.fromEntries(changed()) },
  ];
}

const shown = ({ document, variables }: Query) => `${document.loc?.source.body}\n${JSON.stringify(variables)}`;

/** The calls of a query, except for the catalog, which is cached across queries. */
const ownCalls = (calls: readonly string[]) => calls.filter((call) => !call.startsWith('AnalyticsService/ListCatalog')).toSorted();

async function compare(laboratory: ReturnType<typeof openLaboratory>, query: Query) {
  const { answer, calls, isCompiled, again } = await laboratory.compiled(query);
  const plain = await laboratory.usual(query);
  expect(unordered(answer)).toBe(unordered(plain.answer));
  expect(ownCalls(again.calls)).toEqual([]);
  if (isCompiled) expect(JSON.stringify(answer)).toBe(JSON.stringify(again.answer));
  // If an item turns a list into null, graphql-js skips the items after it.
  if (answer.errors) expect(ownCalls(calls)).toEqual(expect.arrayContaining(ownCalls(plain.calls)));
  else expect(ownCalls(calls)).toEqual(ownCalls(plain.calls));
  return { isCompiled, hasErrors: answer.errors !== undefined };
}

const UPSTREAMS: readonly (readonly [name: string, documents: number, spoiling: Corruption])[] = [
  ['that answers as it should', cases(200), { calls: 0, members: 0 }],
  ['whose answers lack members, or have others', cases(200), { calls: 0.02, members: 0.03 }],
  ['that often fails', cases(200), { calls: 0.3, members: 0.01 }],
];

/**
 * If items of a list fail, one of them immediately and others later, graphql-js doesn't wait for the latter, so their rejections are unhandled. That isn't
 * specific to compiled queries. All other rejections fail the test.
 */
const forgotten = (error: unknown) => {
  if (!(error instanceof GraphQLError)) throw error;
};
const listeners = process.listeners('unhandledRejection');
beforeAll(loadCompiler);
beforeAll(() => void process.removeAllListeners('unhandledRejection').on('unhandledRejection', forgotten));
afterAll(() => {
  process.off('unhandledRejection', forgotten);
  for (const listener of listeners) process.on('unhandledRejection', listener);
});

describe('compiled queries return the results of graphql-js for an upstream', () => {
  it.each(UPSTREAMS)('%s: %i documents', { timeout: LONG_TEST_MS }, async (_name, documents, spoiling) => {
    const laboratory = openLaboratory(SEED, spoiling);
    const seen = { documents: 0, compiled: 0, errors: 0 };
    for (let at = SEED * 10_000; seen.documents < documents; at += 1) {
      const dice = createDice(at);
      const query = queryOf(dice);
      if (!query) continue;
      seen.documents += 1;
      for (const each of variations(query, dice)) {
        const { isCompiled, hasErrors } = await compare(laboratory, each).catch((error: Error) => {
          error.message = `SEED=${SEED}, document ${at}: ${shown(each)}\n${error.message}`;
          throw error;
        });
        seen.compiled += isCompiled ? 1 : 0;
        seen.errors += hasErrors ? 1 : 0;
      }
    }
    await laboratory.close();
    // Each document is executed twice.
    expect(Math.min(seen.compiled, seen.errors)).toBeGreaterThan(documents / 3);
  });
});
