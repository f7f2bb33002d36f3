import { setImmediate as turn } from 'node:timers/promises';
import { type DocumentNode, type ExecutionResult, execute, GraphQLError, Kind, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '../../../src/context.ts';
import { createGraph } from '../../../src/graph.ts';
import { toCanonicalJson } from '../../../src/lib/canonicalJson.ts';
import { computeCost } from '../../../src/schema/cost/cost.ts';
import { type Execute, Executor, loadCompiler } from '../../../src/server/execution/executor.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import type { UpstreamOptions } from '../../../src/upstream/options.ts';
import { type Corruption, createCorruptedUpstream } from '../../support/corruptedUpstream.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { getPlan } from '../../support/plans.ts';
import { SEED, scaleCases } from '../../support/seeded.ts';
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
const NO_FAILURE_LIMITS: Partial<UpstreamOptions> = {
  breaker: null,
  retryBudget: { start: 1e9, share: 1, max: 1e9 },
  wait: async () => {},
};

/**
 * Describes an error. If it's inside of something that became null, only the path of that null: the specification requires just one of these errors, and which
 * of them occur depends on what is already known.
 */
function describeError(error: GraphQLError, data: unknown): string {
  const path = error.path ?? [];
  let value = data;
  for (const [depth, key] of path.entries()) {
    if (value === null) return `something within ${JSON.stringify(path.slice(0, depth))}`;
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return toCanonicalJson(error.toJSON());
}

/** The result with sorted errors, because errors are ordered by when they occur. */
const normalizeResult = ({ errors = [], ...rest }: ExecutionResult) =>
  toCanonicalJson({ ...rest, errors: [...new Set(errors.map((error) => describeError(error, rest.data)))].sort() });

/** Turns of the event loop after which no more calls follow. */
const TURNS = 5;

/** Waits until a count no longer changes. If a field becomes null, the executor still reads its sibling fields without waiting for them. */
async function waitUntilQuiet(count: () => number): Promise<void> {
  let before = -1;
  for (let turns = 0; turns < TURNS; turns += 1) {
    if (count() !== before) turns = 0;
    before = count();
    await turn();
  }
}

/** Executes queries with both executors and an upstream that returns the same response each time. */
function openExecutors(seed: number, spoiling: Corruption) {
  const { transport, sent } = createCorruptedUpstream(seed, spoiling);
  // Without list batching: the first execution would learn about lists, which changes the calls of the next one.
  const upstream = createUpstream({ transport, timeoutMs: 20_000, callsPerRequest: 100_000, hasListBatching: false, ...NO_FAILURE_LIMITS });
  const ledger = createMemoryLedger();
  const executor = new Executor(1);
  const createArgs = ({ document, variables }: Query) => ({
    schema,
    document,
    variableValues: variables,
    contextValue: createContext(upstream.openSession(createKeyCredential('demo-owner'), 'test'), ledger, 1e9),
  });
  const recordCalls = async (act: () => unknown) => {
    const before = sent.length;
    const result = (await act()) as ExecutionResult;
    await waitUntilQuiet(() => sent.length);
    return { result, calls: sent.slice(before) };
  };
  return {
    /** Executes the compiled query, and then the same query with graphql-js, which must not need any other call. */
    executeCompiled: async (query: Query) => {
      const args = createArgs(query);
      let isCompiled = true;
      const fallback: Execute = (args) => {
        isCompiled = false;
        return execute(args);
      };
      const first = await recordCalls(() => executor.execute(getPlan(args), args, fallback));
      const repeated = await recordCalls(() => execute(args));
      return { ...first, isCompiled, repeated };
    },
    executeUsual: (query: Query) => recordCalls(() => execute(createArgs(query))),
    close: async () => {
      await upstream.close();
      await ledger.close();
    },
  };
}

/** Maximum cost of a query. More expensive ones take long without testing more. */
const MAX_COST = 1_000;

/** Null if the document is invalid or the validation fails. For example, fragments can exceed the stack. */
function parseValid(text: string): DocumentNode | null {
  try {
    const document = parse(text);
    return validate(schema, document).length === 0 ? document : null;
  } catch {
    return null;
  }
}

/** A random valid query. Null if the generated operation isn't one. */
function generateQuery(dice: Dice): Query | null {
  const { query, variables } = generateOperation(schema, dice);
  const document = parseValid(query);
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
  const drawVariables = () =>
    Object.entries(variables).flatMap(([name, value]) => {
      const to = dice.upTo(5);
      if (to === 0) return [];
      if (typeof value === 'boolean') return [[name, dice.oneIn(2)]];
      return [[name, to === 1 ? null : to === 2 && dice.oneIn(3) ? 'x' : value]];
    });
  return [
    { document, variables },
    { document, variables: Object.fromEntries(drawVariables()) },
  ];
}

const formatQuery = ({ document, variables }: Query) => `${document.loc?.source.body}\n${JSON.stringify(variables)}`;

/** The calls of a query, except for the catalog, which is cached across queries. */
const omitCatalogCalls = (calls: readonly string[]) => calls.filter((call) => !call.startsWith('AnalyticsService/ListCatalog')).toSorted();

async function compare(executors: ReturnType<typeof openExecutors>, query: Query) {
  const { result, calls, isCompiled, repeated } = await executors.executeCompiled(query);
  const usual = await executors.executeUsual(query);
  expect(normalizeResult(result)).toBe(normalizeResult(usual.result));
  expect(omitCatalogCalls(repeated.calls)).toEqual([]);
  if (isCompiled) expect(JSON.stringify(result)).toBe(JSON.stringify(repeated.result));
  // If an item turns a list into null, graphql-js skips the items after it.
  if (result.errors) expect(omitCatalogCalls(calls)).toEqual(expect.arrayContaining(omitCatalogCalls(usual.calls)));
  else expect(omitCatalogCalls(calls)).toEqual(omitCatalogCalls(usual.calls));
  return { isCompiled, hasErrors: result.errors !== undefined };
}

const UPSTREAMS: readonly (readonly [name: string, documents: number, spoiling: Corruption])[] = [
  ['without faults', scaleCases(100), { calls: 0, members: 0 }],
  ['with missing and invalid fields', scaleCases(100), { calls: 0.02, members: 0.03 }],
  ['with many failures', scaleCases(100), { calls: 0.3, members: 0.01 }],
];

/**
 * If items of a list fail, one of them immediately and others later, graphql-js doesn't wait for the latter, so their rejections are unhandled. That isn't
 * specific to compiled queries. All other rejections fail the test.
 */
const ignoreGraphQLError = (error: unknown) => {
  if (!(error instanceof GraphQLError)) throw error;
};
const listeners = process.listeners('unhandledRejection');
beforeAll(loadCompiler);
beforeAll(() => void process.removeAllListeners('unhandledRejection').on('unhandledRejection', ignoreGraphQLError));
afterAll(() => {
  process.off('unhandledRejection', ignoreGraphQLError);
  for (const listener of listeners) process.on('unhandledRejection', listener);
});

describe('compiled queries return the results of graphql-js for an upstream', () => {
  it.each(UPSTREAMS)('%s: %i documents', { timeout: LONG_TEST_MS }, async (_name, documents, spoiling) => {
    const executors = openExecutors(SEED, spoiling);
    const counts = { documents: 0, compiled: 0, errors: 0 };
    for (let seed = SEED * 10_000; counts.documents < documents; seed += 1) {
      const dice = createDice(seed);
      const query = generateQuery(dice);
      if (!query) continue;
      counts.documents += 1;
      for (const each of variations(query, dice)) {
        const { isCompiled, hasErrors } = await compare(executors, each).catch((error: Error) => {
          error.message = `SEED=${SEED}, document ${seed}: ${formatQuery(each)}\n${error.message}`;
          throw error;
        });
        counts.compiled += isCompiled ? 1 : 0;
        counts.errors += hasErrors ? 1 : 0;
      }
    }
    await executors.close();
    // Each document is executed twice.
    expect(Math.min(counts.compiled, counts.errors)).toBeGreaterThan(documents / 3);
  });
});
