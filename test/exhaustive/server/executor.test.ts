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
import { type Dice, diceOf } from '../fuzz/dice.ts';
import { operationOf } from '../fuzz/documents.ts';

const { schema } = createGraph();

type Variables = Readonly<Record<string, unknown>>;

interface Query {
  readonly document: DocumentNode;
  readonly variables: Variables;
}

/** No call is to fail for what others did: which ones did depends on their order. */
const UNTIRING: Partial<UpstreamOptions> = { breaker: null, retryBudget: { start: 1e9, share: 1, max: 1e9 }, wait: async () => {} };

/**
 * An error in full; of one within something that became null, only the place of that null. Which of them are met before it becomes null is a
 * matter of what is known already, and the specification asks for one.
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

/** Errors are in the order in which they are met. */
const unordered = ({ errors = [], ...rest }: ExecutionResult) =>
  canonicalJson({ ...rest, errors: [...new Set(errors.map((error) => shownError(error, rest.data)))].sort() });

/** Turns of the event loop after which nothing more is on its way. */
const TURNS = 5;

/** Until a count stays as it is: where something becomes null, what is beside it is read on, though nobody waits for it. */
async function quiet(count: () => number): Promise<void> {
  let before = -1;
  for (let turns = 0; turns < TURNS; turns += 1) {
    if (count() !== before) turns = 0;
    before = count();
    await turn();
  }
}

/** Executes queries in all ways, over an upstream that answers the same each time. */
function openLaboratory(seed: number, spoiling: Corruption) {
  const { transport, sent } = createCorruptedUpstream(seed, spoiling);
  // Without covers: what the first execution learns of a list would make the next one ask otherwise.
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
    /** As a query that comes again; then once more by graphql-js, which finds all that was read. */
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

/** Cost limit of a query: larger ones take long and show nothing more. */
const MAX_COST = 1_000;

/** Null for a text that is no document, or none that fits the graph, or fails otherwise: fragments may fill the stack. */
function validIn(text: string): DocumentNode | null {
  try {
    const document = parse(text);
    return validate(schema, document).length === 0 ? document : null;
  } catch {
    return null;
  }
}

/** A valid query, as the dice fall; null when they fall otherwise. */
function queryOf(dice: Dice): Query | null {
  const { query, variables } = operationOf(schema, dice);
  const document = validIn(query);
  if (!document) return null;
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const [first] = operations;
  if (first?.kind !== Kind.OPERATION_DEFINITION || first.operation !== 'query' || operations.length > 1) return null;
  if (typeof variables !== 'object' || variables === null || /@(defer|stream)/.test(query)) return null;
  const cost = computeCost(schema, document, undefined, variables as Variables, MAX_COST);
  return cost === null ? null : { document, variables: variables as Variables };
}

/** The same query with other variables: some turned round, some null, some left out. */
function variations({ document, variables }: Query, dice: Dice): Query[] {
  const changed = () =>
    Object.entries(variables).flatMap(([name, value]) => {
      const to = dice.upTo(5);
      if (to === 0) return [];
      if (typeof value === 'boolean') return [[name, dice.once(2)]];
      return [[name, to === 1 ? null : to === 2 && dice.once(3) ? 'x' : value]];
    });
  return [
    { document, variables },
    { document, variables: Object.fromEntries(changed()) },
  ];
}

const shown = ({ document, variables }: Query) => `${document.loc?.source.body}\n${JSON.stringify(variables)}`;

/** Calls of a query, without that of the catalog, which is kept for queries to come. */
const ownCalls = (calls: readonly string[]) => calls.filter((call) => !call.startsWith('AnalyticsService/ListCatalog')).toSorted();

async function compare(laboratory: ReturnType<typeof openLaboratory>, query: Query) {
  const { answer, calls, isCompiled, again } = await laboratory.compiled(query);
  const plain = await laboratory.usual(query);
  expect(unordered(answer)).toBe(unordered(plain.answer));
  expect(ownCalls(again.calls)).toEqual([]);
  if (isCompiled) expect(JSON.stringify(answer)).toBe(JSON.stringify(again.answer));
  // Of a list that becomes null for one of its items, the usual executor leaves the items that follow.
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
 * Where items of a list fail, one at once and others later, graphql-js answers without waiting for those, and nobody hears of them. That is
 * not of compiling; any other rejection is.
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

describe('compiled queries answer as the usual executor does, over an upstream', () => {
  it.each(UPSTREAMS)('%s: %i documents', { timeout: LONG_TEST_MS }, async (_name, documents, spoiling) => {
    const laboratory = openLaboratory(SEED, spoiling);
    const seen = { documents: 0, compiled: 0, errors: 0 };
    for (let at = SEED * 10_000; seen.documents < documents; at += 1) {
      const dice = diceOf(at);
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
    // Each is executed twice.
    expect(Math.min(seen.compiled, seen.errors)).toBeGreaterThan(documents / 3);
  });
});
