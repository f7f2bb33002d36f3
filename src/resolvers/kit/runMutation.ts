import type { Context } from '../../context.ts';
import { ApiError, OutcomeUnknownError, ValidationError } from '../../failures/failures.ts';
import type { LedgerOutcome } from '../../ledger/ledger.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type Change, createState, isLiveType, type LiveType } from '../../live/changes.ts';
import { toInputPaths } from '../../schema/kit/inputPaths.ts';
import type { BoundFields } from '../../schema/kit/inputs.ts';
import { checkCurrency, MoneyInput, type MoneyInputValue } from '../../schema/kit/money.ts';
import type { PayloadShape, TypedRecord } from '../../schema/kit/payloads.ts';
import { type Entity, getEntityByName } from '../../schema/kit/registry.ts';
import { REHEARSED } from '../../upstream/calls/call.ts';
import { isRepeatable, type Operation, takesKey } from '../../upstream/contract/operation.ts';
import { BASE_WORK } from '../../upstream/traffic/turns.ts';
import { findIdField, type InputBinding } from './bindInput.ts';
import { checkIdempotencyKey, type Guards, omitGuards } from './guards.ts';
import type { MutationOptions } from './mutationOptions.ts';
import { type AffectedRecord, listRecords, type PayloadRecord, pickRecords, primeLoaders } from './payloads.ts';
import { perform } from './perform.ts';
import { fetchCurrent, findCandidates, reconcileCreated } from './reconcile.ts';
import { type BlockerSources, explainRejection, findRejection, loadOrNull, toGuardedPath } from './rejections.ts';

/** Name of a type and the raw ID of one of its records. The ID is null if it's unknown. */
type ChangedRecord = readonly [type: string, id: string | null];

/** The records that a mutation is declared to change: the one in its input, those that it returns, and others that it affects. */
interface ChangedByMutation {
  readonly on: Pick<Entity<object>, 'name'> | undefined;
  /** Raw ID of the `on` record. */
  readonly id: unknown;
  readonly returned: readonly PayloadRecord[];
  readonly affects: Readonly<Record<string, AffectedRecord<object, JsonObject>>> | undefined;
}

/** Groups records by type, and omits types whose changes aren't signaled. */
function groupByType(records: readonly ChangedRecord[]): readonly Change[] {
  const byType = Map.groupBy(records, ([type]) => type);
  return [...byType].flatMap(([type, group]) => {
    if (!isLiveType(type)) return [];
    const ids = new Set(group.flatMap(([, id]) => id ?? []));
    return [{ type: type satisfies LiveType, ids: [...ids], isTruncated: group.some(([, id]) => id === null) }];
  });
}

const listSubject = ({ on, id }: ChangedByMutation): ChangedRecord[] => (on ? [[on.name, String(id)]] : []);

const listAffected = ({ affects = {} }: ChangedByMutation, response: object, request: JsonObject): ChangedRecord[] =>
  Object.values(affects).map(([{ name }, , getId]) => [name, getId(response, request) ?? null]);

/** The changes of a mutation that was applied. `records` are those that it returned. */
const listChanges = (declared: ChangedByMutation, request: JsonObject, response: object, records: readonly TypedRecord[]) =>
  groupByType([
    ...listSubject(declared),
    ...records.map(([type, record]): ChangedRecord => [type, getEntityByName(type)?.getId(record) ?? null]),
    // One without an ID doesn't exist, such as the work order of an appointment that has none.
    ...listAffected(declared, response, request).filter(([, id]) => id !== null),
  ]);

/** The states of the records that a mutation returned, by type. */
function listStates(records: readonly TypedRecord[]): ReadonlyMap<LiveType, readonly string[]> {
  const states = new Map<LiveType, string[]>();
  for (const [type, record] of records) {
    const id = getEntityByName(type)?.getId(record);
    if (isLiveType(type) && id !== undefined) states.set(type, [...(states.get(type) ?? []), createState(id, record)]);
  }
  return states;
}

/** The changes of a mutation whose outcome is unknown. The IDs of records that it would have returned are unknown, too. */
const listPossibleChanges = (declared: ChangedByMutation, request: JsonObject) =>
  groupByType([
    ...listSubject(declared),
    ...declared.returned.flatMap(({ type: { name } }): ChangedRecord[] => (name === declared.on?.name ? [] : [[name, null]])),
    ...listAffected(declared, {}, request),
  ]);

interface CurrencyAmount {
  readonly money: MoneyInputValue;
  readonly path: readonly string[];
}

/** Lists the amounts in an input: the values of fields that are bound to minor units. */
const listAmounts = (fields: BoundFields, input: object, path: readonly string[] = []): CurrencyAmount[] =>
  Object.entries(fields).flatMap(([name, { field, codec }]) => {
    const value = (input as Readonly<Record<string, unknown>>)[name];
    const here = [...path, name];
    if (value === null || value === undefined || field.list) return [];
    if (codec.type === MoneyInput) return [{ money: value as MoneyInputValue, path: here }];
    return codec.inner ? listAmounts(codec.inner, value, here) : [];
  });

/** Rejects amounts in a currency other than the record's. Reads the record only if an amount specifies a currency. */
async function checkCurrencies(
  entity: Pick<Entity<{ readonly currency: string }>, 'load'>,
  id: string | undefined,
  amounts: readonly CurrencyAmount[],
  context: Context,
): Promise<void> {
  if (!amounts.some(({ money }) => money.currencyCode)) return;
  const record = await fetchCurrent(entity, id, context);
  if (record) for (const { money, path } of amounts) checkCurrency(money, record.currency, path);
}

type Input = Guards & JsonObject;

/** A mutation as it was declared. */
export interface DeclaredMutation {
  readonly operation: Operation<JsonObject, object>;
  /** Without the types of its input and messages, which are checked where it's declared. */
  readonly options: MutationOptions<Operation<JsonObject, object>, JsonObject, object, object>;
  readonly bound: InputBinding;
  /** Records that the payload contains. */
  readonly returned: readonly PayloadRecord[];
}

/** A request that is ready to be sent. */
interface PreparedRequest {
  /** The operation of the mutation, or one of its variants. */
  readonly sent: Operation<JsonObject, object>;
  readonly request: JsonObject;
  /** The input with raw IDs, without its guards. */
  readonly normalized: JsonObject;
  /** Whether the upstream itself recognizes a repeat. */
  readonly isDeduplicatedUpstream: boolean;
}

/** Advice for a creation with an unknown outcome that has candidates. A minute: twice as long as the upstream queues a call, which may still be processed. */
function adviseCheck({ idempotencyKey }: OutcomeUnknownError) {
  const repeat =
    idempotencyKey === null ? 'repeat it' : 'use a new idempotencyKey (a repeat with the same one isn’t applied, but searches again)';
  const advice = `Check \`candidates\`, which it may have created, and only ${repeat} if the record still doesn’t exist a minute after \`startedAt\`.`;
  return { advice, retry: 'CHECK_FIRST' } as const;
}

/** One execution of a mutation. */
class MutationRun {
  readonly #mutation: DeclaredMutation;
  /** Its name in this deployment. */
  readonly #name: string;
  readonly #context: Context;
  /** With raw IDs once they have been converted. */
  #input: Input;
  /** Null before it's prepared. */
  #prepared: PreparedRequest | null = null;
  /** The `on` record before the request. Null if it isn't needed, or can't be read. */
  #before: object | null = null;

  constructor(mutation: DeclaredMutation, name: string, input: Input, context: Context) {
    this.#mutation = mutation;
    this.#name = name;
    this.#input = input;
    this.#context = context;
  }

  async run(): Promise<PayloadShape> {
    const context = this.#context;
    context.live?.prepare();
    try {
      this.#prepared = this.#prepare();
      return this.#finish(this.#prepared, await this.#send(this.#prepared));
    } catch (error) {
      context.loaders.clear();
      throw await this.#explain(error);
    }
  }

  /** The raw ID of the `on` record. */
  get #id(): unknown {
    return this.#input[this.#mutation.bound.subject ?? ''];
  }

  #prepare(): PreparedRequest {
    const { operation, options, bound } = this.#mutation;
    this.#input = bound.withRawIds(this.#input);
    const input = this.#input;
    const { idempotencyKey, expectedVersion } = input;
    checkIdempotencyKey(idempotencyKey);
    const fields: JsonObject = omitGuards(input);
    const normalized = options.request?.normalize?.(fields) ?? fields;
    const draft = bound.toRequest(normalized);
    const request: Record<string, unknown> = { ...(options.request?.complete?.(draft, normalized) ?? draft) };
    if (operation.versionField) request[operation.versionField] = expectedVersion;
    const variants = options.request?.variants;
    const sent = variants?.operations[variants.by(input)] ?? operation;
    // This upstream may recognize repeats in another way than the contract specifies.
    const corrected = this.#context.upstream.operation(sent);
    if (corrected.keyField && takesKey(corrected, request)) request[corrected.keyField] = idempotencyKey;
    return { sent, request, normalized, isDeduplicatedUpstream: isRepeatable(corrected, request) };
  }

  #send({ sent, request, normalized, isDeduplicatedUpstream }: PreparedRequest): Promise<LedgerOutcome<object>> {
    const { operation, options, returned } = this.#mutation;
    const { reconcile } = options;
    const call = {
      operation,
      sent,
      request,
      idempotencyKey: this.#input.idempotencyKey ?? undefined,
      isDeduplicatedUpstream,
      hasAllRecords: (response: object) => Object.values(this.#toMembers(response, request)).every((member) => member !== undefined),
      reconcile: typeof reconcile === 'object' ? reconcileCreated(reconcile, returned[0]?.member ?? '') : reconcile,
      findProblem: () => this.#findProblem(request),
      prepare: () => this.#compare(request, normalized),
    };
    return perform(call, this.#context);
  }

  #findProblem(request: JsonObject): ApiError | undefined {
    const issues = this.#mutation.options.findIssues?.(request) ?? [];
    return issues.length > 0 ? new ValidationError(issues) : undefined;
  }

  /** Compares the input with records before the request is sent. */
  async #compare(request: JsonObject, normalized: JsonObject): Promise<void> {
    const { operation, options, bound } = this.#mutation;
    const { on, currencySource } = options;
    if (currencySource) {
      const id = request[findIdField(operation, currencySource.name)] as string | undefined;
      await checkCurrencies(currencySource, id, listAmounts(bound.fields, normalized), this.#context);
    }
    await options.check?.(request, normalized, this.#context);
    if (on && options.isUnchanged) this.#before = await loadOrNull(on, String(this.#id), this.#context);
  }

  /** The members of the payload that a response has. */
  #toMembers(response: object, request: JsonObject): JsonObject {
    const { options, returned } = this.#mutation;
    return { ...pickRecords(returned, response), ...options.payload?.resolve(response, request, this.#input) };
  }

  /** Returns the payload, and signals what was changed. */
  #finish({ request }: PreparedRequest, { response, effect, isCurrent }: LedgerOutcome<object>): PayloadShape {
    const { operation, options, returned } = this.#mutation;
    const context = this.#context;
    context.loaders.clear();
    const members = this.#toMembers(response, request);
    const records = listRecords(returned, members);
    if (isCurrent) primeLoaders(records, context);
    const affected = Object.entries(options.affects ?? {}).map(([member, [, , getId]]) => [member, getId(response, request)]);
    // The response to an earlier attempt can't be compared with the record as it was before this request.
    const isUnchanged = isCurrent && options.isUnchanged?.(response, this.#before, request);
    if (effect !== 'REPLAYED' && !isUnchanged)
      context.live?.publish(operation, listChanges(this.#declareChanged(), request, response, records), listStates(records));
    return { ...members, ...Object.fromEntries(affected), effect: isUnchanged ? 'UNCHANGED' : effect, isCurrent, records };
  }

  #declareChanged() {
    const { options, returned } = this.#mutation;
    return { on: options.on, id: this.#id, returned, affects: options.affects };
  }

  /**
   * Converts a failure to the most specific error. Takes a turn of the event loop, because an operation can have hundreds of mutations that are rejected without
   * a call.
   */
  async #explain(error: unknown): Promise<unknown> {
    const { operation, bound } = this.#mutation;
    await this.#context.upstream.waitToWork(BASE_WORK);
    if (error instanceof OutcomeUnknownError && this.#prepared) return this.#explainLoss(error, this.#prepared);
    const sources = this.#listBlockerSources();
    if (error === REHEARSED) return (await findRejection(sources, this.#id, this.#context)) ?? error;
    if (!(error instanceof ApiError)) return error;
    const explained = await explainRejection(error, operation, sources, bound, this.#input, this.#context);
    return toInputPaths(explained, this.#input, (path) => toGuardedPath(path, operation, bound));
  }

  #explainLoss(error: OutcomeUnknownError, { request, isDeduplicatedUpstream }: PreparedRequest): OutcomeUnknownError {
    const { operation, options, returned } = this.#mutation;
    const search = typeof options.reconcile === 'object' ? options.reconcile : undefined;
    const context = this.#context;
    context.live?.publish(operation, listPossibleChanges(this.#declareChanged(), request));
    const sent = { request, startedAt: error.startedAt, context };
    const [created] = returned;
    return error.with({
      operation: this.#name,
      ...(search && created && { findCandidates: () => findCandidates(search, created.type, sent) }),
      ...(search && !isDeduplicatedUpstream && adviseCheck(error)),
    });
  }

  #listBlockerSources(): BlockerSources {
    const { on, blockers } = this.#mutation.options;
    const prepared = this.#prepared;
    if (!blockers || !prepared) return { on };
    return { on, findBlockers: (record) => blockers(prepared.request, this.#context, record) };
  }
}

/** Runs a mutation. Returns its payload, or rejects with the most specific error. */
export const runMutation = (mutation: DeclaredMutation, name: string, input: Input, context: Context): Promise<PayloadShape> =>
  new MutationRun(mutation, name, input, context).run();
