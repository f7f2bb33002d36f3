import { type ExecutionArgs, type ExecutionResult, getVariableValues, locatedError } from 'graphql';
import type { Context } from '../../context.ts';
import { ABANDONED } from '../../failures/failures.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import type { ResponseBudget } from '../../responseBudget.ts';
import { collectFragments } from '../../schema/kit/selections.ts';
import type { Session } from '../../upstream/session.ts';
import { SenderSequence } from '../../upstream/traffic/senders.ts';
import { TURN_WORK } from '../../upstream/traffic/turns.ts';
import type { Plan } from './plan.ts';
import { canReadInParts, SchemaReading } from './schemaReading.ts';

/** Maximum length of the JSON of variables in a cache key, in characters. Chosen: a type name, and some conditions. */
const MAX_VARIABLES = 1_000;
/** Strings can use two bytes per character. */
const CHARACTER_BYTES = 2;
/** Chosen: the JSON of sixteen complete schemas. */
const LIMITS = {
  entries: 256,
  weight: { max: 16 * 1024 * 1024, weightOf: (key: string, json: Buffer) => CHARACTER_BYTES * key.length + json.length },
};
/** Values of the schema that are read in a turn. Chosen: they take about as long as the 250 values of records that a turn has, 1 ms. */
const VALUES_PER_TURN = 4_000;

/** Cache key. Null if it would be too long. */
function createCacheKey({ document, operation }: Plan, { operationName, variableValues }: ExecutionArgs): string | null {
  const source = document.loc?.source.body;
  if (source === undefined) return null;
  const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  const variables = JSON.stringify(Object.fromEntries(names.map((name) => [name, variableValues?.[name]])));
  return variables.length > MAX_VARIABLES ? null : JSON.stringify([operationName ?? null, variables, source]);
}

/** Waits for a turn of the request's sender. */
async function takeTurn(session: Session): Promise<void> {
  await session.waitToWork(TURN_WORK);
  if (session.isDisconnected) throw ABANDONED;
}

/** The JSON of the data, or what is wrong with the operation: an invalid condition or argument fails it as a whole. */
type Reading = Buffer | ExecutionResult;

/** Reads the schema in as many turns as needed. */
async function read({ document, operation }: Plan, { schema, variableValues, contextValue }: ExecutionArgs): Promise<Reading> {
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  if (errors) return { errors };
  const reading = new SchemaReading({ schema, fragments: collectFragments(document), variableValues: coerced }, operation);
  for (;;) {
    const part = readPart(reading);
    if (part !== null) return part;
    await takeTurn((contextValue as Context).upstream);
  }
}

function readPart(reading: SchemaReading): Reading | null {
  try {
    return reading.read(VALUES_PER_TURN);
  } catch (error) {
    return { errors: [locatedError(error, undefined, reading.path)], data: null };
  }
}

/** A result whose response is the JSON in the budget. Others, such as agent tools, parse it. */
function createResult(json: Buffer, budget: ResponseBudget): ExecutionResult {
  budget.json = json;
  return {
    get data() {
      return JSON.parse(json.toString()) as Record<string, unknown>;
    },
  };
}

/**
 * Executes operations that only read the schema: they need no API key, and each takes as long as thousands of fields. They are executed in turns of the event loop, and
 * their responses are cached, because they never change while the process runs.
 */
export class SchemaResponses {
  /** JSON of the data, which is smaller than the data. */
  readonly #cache = new BoundedCache<Buffer>(LIMITS);

  readonly #sequence = new SenderSequence();

  /** The result of an operation. `execute` executes those that can't be interrupted. */
  execute(plan: Plan, args: ExecutionArgs, execute: (args: ExecutionArgs) => unknown): Promise<ExecutionResult> {
    const { upstream } = args.contextValue as Context;
    if (plan.isQuery) upstream.permitAbandonment();
    return this.#sequence.run(upstream.sender, () => this.#execute(plan, args, execute));
  }

  async #execute(plan: Plan, args: ExecutionArgs, execute: (args: ExecutionArgs) => unknown): Promise<ExecutionResult> {
    const { upstream, responseBudget } = args.contextValue as Context;
    await takeTurn(upstream);
    const key = createCacheKey(plan, args);
    const known = key === null ? undefined : this.#cache.get(key);
    if (known !== undefined) return createResult(known, responseBudget);
    const reading = await this.#read(plan, args, execute);
    if (!Buffer.isBuffer(reading)) return reading;
    // A complete schema has 1 MB, which takes several milliseconds to send.
    await takeTurn(upstream);
    if (key !== null) this.#cache.set(key, reading);
    return createResult(reading, responseBudget);
  }

  async #read(plan: Plan, args: ExecutionArgs, execute: (args: ExecutionArgs) => unknown): Promise<Reading> {
    if (canReadInParts(plan.rootFields)) return read(plan, args);
    const result = (await execute(args)) as ExecutionResult;
    return result.errors ? result : Buffer.from(JSON.stringify(result.data));
  }
}
