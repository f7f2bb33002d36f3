import type { InputObjectRef, ObjectFieldsShape } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import {
  ApiError,
  type Blocker,
  NotFoundError,
  OutcomeUnknownError,
  RejectedError,
  TransitionBlockedError,
  ValidationError,
  VersionConflictError,
} from '../../failures/failures.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { CreatedRecord } from '../../schema/kit/candidates.ts';
import type { ListSizes } from '../../schema/kit/costExtensions.ts';
import { getErrorTypes } from '../../schema/kit/errors.ts';
import { annotateOperation } from '../../schema/kit/fieldAnnotations.ts';
import { toInputPaths } from '../../schema/kit/inputPaths.ts';
import type { Binder, InputMembers, ShapeOf } from '../../schema/kit/inputs.ts';
import type { PayloadShape } from '../../schema/kit/payloads.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import { brandRecord, registerMutationTarget } from '../../schema/kit/subjects.ts';
import { REHEARSED } from '../../upstream/calls/call.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';
import type { AnyOperation, Operation } from '../../upstream/contract/operation.ts';
import { bindInput, findIdField, type InputBinding } from './bindInput.ts';
import { listChanges, listPossibleChanges, listStates } from './changedRecords.ts';
import { checkCurrencies, listAmounts } from './currency.ts';
import { checkIdempotencyKey, declareGuards, type Guards, omitGuards, passesKeyUpstream } from './guards.ts';
import { addMissingId } from './missing.ts';
import {
  type AffectedRecord,
  declarePayload,
  listRecords,
  type PartialRecords,
  type PayloadRecord,
  pickRecords,
  primeLoaders,
  type ReturnedRecords,
  toPayloadRecords,
} from './payloads.ts';
import { perform, type SentRequest } from './perform.ts';
import { type CreationSearch, findCandidates, reconcileCreated } from './reconcile.ts';

/** The payload with all members defined. Checked before the payload is returned. */
type CompletePayload<Payload> = { [Member in keyof Payload]-?: Exclude<Payload[Member], undefined> };

interface MutationOptions<
  Request,
  Response,
  Message extends MessageFields,
  Members extends InputMembers,
  Payload extends object,
  RecordShape extends object,
> {
  /** Optional for updates, whose description starts with generated sentences about omitted and clearable fields. */
  readonly description?: string;
  /** Record that the mutation changes. Its ID is the first field of the input. It's read again to explain why the upstream rejected the mutation. */
  readonly on?: Entity<RecordShape>;
  /** The other input fields, by name, bound to fields of the request. `idempotencyKey` and `expectedVersion` are derived from the operation. */
  readonly input?: (f: Binder<Message>) => Members;
  /** Changes only the specified fields: omitted fields stay unchanged, and null clears fields that can be cleared. */
  readonly isPatch?: true;
  /** Normalizes the input before it's converted to a request. */
  readonly normalizeInput?: (input: ShapeOf<Members>) => ShapeOf<Members>;
  /** Record whose currency the input's amounts must have. A request field contains its ID. An amount in another currency is rejected. */
  readonly currencySource?: Pick<Entity<{ readonly currency: string }>, 'name' | 'load'>;
  /** Completes the request if it needs more than the bound input fields. */
  readonly request?: (request: NoInfer<Request>, input: ShapeOf<Members>) => NoInfer<Request>;
  /** Compares the input with records before the request is sent. A replay must not depend on records that can still be read, so it isn't compared. */
  readonly check?: (request: NoInfer<Request>, input: ShapeOf<Members>, context: Context) => Promise<void>;
  /**
   * Records of the response that the payload contains, with descriptions. If one is missing, the outcome is unknown, because the upstream reported success but
   * not the result.
   */
  readonly returns?: ReturnedRecords<NoInfer<Response>>;
  /** Records in the payload that `resolvePayload` builds, because the response contains only some of their fields. */
  readonly returnsPartial?: PartialRecords;
  /** Builds payload members in addition to `returns`, or instead of them. A member that is undefined counts as missing; null is a valid value. */
  readonly resolvePayload?: (response: Response, request: Request, input: ShapeOf<Members>) => Payload;
  /** Fields that expose the members. Must come after `resolvePayload`, from which its type is inferred. */
  readonly payloadFields?: ObjectFieldsShape<Types, NoInfer<CompletePayload<Payload>> & PayloadShape>;
  /** Returns the maximum lengths of lists in the payload. */
  readonly countPayloadItems?: (input: ShapeOf<Members>) => ListSizes;
  /**
   * Other objects that the mutation changes, by the payload field that returns them. Caches identify them by their keys, which cost no call, and clients can
   * select more of their fields in the same request.
   */
  readonly affects?: Readonly<Record<string, AffectedRecord<NoInfer<Response>, NoInfer<Request>>>>;
  /** Reads whether a request with a lost response was applied. Returns the response that it would have received, or undefined if this is unknown. */
  readonly reconcile?: (sent: SentRequest<Request>) => Promise<NoInfer<Response> | undefined>;
  /** Searches for the record that the mutation creates, which must be the first of `returns`. Replaces `reconcile`. */
  readonly search?: CreationSearch<NoInfer<Request>>;
  /**
   * For mutations that succeed without an effect if there is nothing to do. Decides this from the response and the `on` record before the request, which is
   * null if it can't be read. The effect is then UNCHANGED.
   */
  readonly isUnchanged?: (response: NoInfer<Response>, before: RecordShape | null, request: NoInfer<Request>) => boolean;
  /**
   * Reads what blocks a transition of the `on` record, other than its state. Also called for plans: then `context.upstream.rehearsed` is set, and nothing has
   * been rejected.
   */
  readonly blockers?: (record: RecordShape, context: Context, request: NoInfer<Request>) => Promise<readonly Blocker[]>;
  /** Like `blockers`, for mutations that create a record. */
  readonly creationBlockers?: (request: NoInfer<Request>, context: Context) => Promise<readonly Blocker[]>;
  /** Operations with the same policy, one of which is sent instead, depending on the input. */
  readonly variants?: {
    readonly by: (input: ShapeOf<Members>) => string;
    readonly operations: Readonly<Record<string, Operation<Request, Response>>>;
  };
  /** Unbound input fields that replace a request field, by the name of that field. Used for the paths of issues. */
  readonly names?: Readonly<Record<string, string>>;
}

/** Loads the record of a mutation. Null if it can't be read. */
async function loadOrNull<RecordShape extends object>(
  entity: Entity<RecordShape>,
  id: string,
  context: Context,
): Promise<RecordShape | null> {
  try {
    return await entity.load(id, context);
  } catch {
    return null;
  }
}

/** Advice for a creation with an unknown outcome that has candidates. A minute: twice as long as the upstream queues a call, which may still be processed. */
function adviseCheck({ idempotencyKey }: OutcomeUnknownError) {
  const repeat =
    idempotencyKey === null ? 'repeat it' : 'use a new idempotencyKey (a repeat with the same one isn’t applied, but searches again)';
  const advice = `Check \`candidates\`, which it may have created, and only ${repeat} if the record still doesn’t exist a minute after \`startedAt\`.`;
  return { advice, retry: 'CHECK_FIRST' } as const;
}

const isStateRejection = (error: unknown) =>
  error instanceof TransitionBlockedError ||
  error instanceof VersionConflictError ||
  error instanceof ValidationError ||
  error instanceof RejectedError;

/** Finds why a transition is blocked: by the record's state, otherwise by what `blockers` reads, otherwise by the upstream's error text. */
async function findBlockers<RecordShape extends object>(
  { message }: TransitionBlockedError,
  { on, blockers }: BlockerSources<RecordShape>,
  record: RecordShape,
): Promise<readonly Blocker[]> {
  if (on?.state?.isTerminal?.(record)) return [{ code: 'WRONG_STATUS', message }];
  const found = (await blockers?.(record)?.catch(() => [])) ?? [];
  return found.length > 0 ? found : [{ code: 'OTHER', message }];
}

/** Reads that find out why a mutation is blocked. */
interface BlockerSources<RecordShape extends object> {
  readonly on: Entity<RecordShape> | undefined;
  readonly blockers?: (record: RecordShape) => Promise<readonly Blocker[]> | undefined;
  readonly creationBlockers?: () => Promise<readonly Blocker[]> | undefined;
}

/** Rejects a rehearsed write if the records show that the upstream would reject it. */
async function rejectBlocked<RecordShape extends object>(
  { on, blockers, creationBlockers }: BlockerSources<RecordShape>,
  id: unknown,
  context: Context,
): Promise<void> {
  const record = on && blockers ? await loadOrNull(on, String(id), context) : null;
  const found = (await (record ? blockers?.(record) : creationBlockers?.())?.catch(() => [])) ?? [];
  if (found.length > 0) throw new TransitionBlockedError(found.map(({ message }) => message).join(' '), found);
}

/** Adds details that the upstream didn't report to the error of a rejected mutation. */
async function explainRejection<RecordShape extends object>(
  error: unknown,
  operation: AnyOperation,
  options: BlockerSources<RecordShape>,
  { ids, subject, versionMember }: InputBinding,
  input: Guards & Readonly<Record<string, unknown>>,
  context: Context,
): Promise<unknown> {
  const { on } = options;
  if (error instanceof NotFoundError) return addMissingId(error, input, ids, subject, context);
  if (!on && error instanceof TransitionBlockedError) {
    const found = (await options.creationBlockers?.()?.catch(() => [])) ?? [];
    return found.length > 0 ? new TransitionBlockedError(error.message, found) : error;
  }
  if (!on || !subject || !isStateRejection(error)) return error;
  const isFieldIssue = error instanceof ValidationError && error.issues.some(({ path }) => path.length > 0);
  const isTransition = error instanceof TransitionBlockedError && on.state !== undefined;
  const expected = input[operation.versionField ? 'expectedVersion' : (versionMember ?? '')];
  if (isFieldIssue || !(expected || isTransition)) return error;

  const record = await loadOrNull(on, String(input[subject]), context);
  const currentVersion = record && on.getVersion(record);
  const hasChanged = currentVersion !== null && currentVersion !== expected;
  if (expected && (hasChanged || error instanceof VersionConflictError)) {
    return new VersionConflictError(String(expected), currentVersion, record && brandRecord(on, record));
  }
  if (!(error instanceof TransitionBlockedError && on.state && record)) return error;
  const blockers = await findBlockers(error, options, record);
  return new TransitionBlockedError(error.message, blockers, on.state.getStatus(record) ?? null, brandRecord(on, record));
}

/** Converts a path of the request to a path of the input, including the guards. */
function toGuardedPath(path: readonly string[], { keyField, versionField }: AnyOperation, bound: InputBinding): readonly string[] {
  const [wire, ...rest] = path;
  if (wire === keyField) return ['idempotencyKey', ...rest];
  return wire === versionField ? ['expectedVersion', ...rest] : bound.toInputPath(path);
}

/** Runs a mutation. Returns its payload, or throws the most specific error. */
async function runMutation<
  Request extends object,
  Response extends object,
  Message extends MessageFields,
  Members extends InputMembers,
  Payload extends object,
  RecordShape extends object,
>(
  name: string,
  operation: Operation<Request, Response, Message>,
  options: MutationOptions<Request, Response, Message, Members, Payload, RecordShape>,
  bound: InputBinding,
  returned: readonly PayloadRecord[],
  originalInput: ShapeOf<Members> & Guards,
  context: Context,
): Promise<PayloadShape> {
  const { on, currencySource, variants, search, normalizeInput = (input) => input } = options;
  let input = originalInput;
  let prepared: Request | undefined;
  let isDeduplicatedUpstream = false;
  const getChanged = () => ({ on, id: input[bound.subject as keyof typeof input], returned, affects: options.affects });
  context.live?.prepare();
  try {
    input = bound.withRawIds(input) as typeof originalInput;
    checkIdempotencyKey(input.idempotencyKey);
    const normalized = normalizeInput(omitGuards(input) as unknown as ShapeOf<Members>);
    const draft = bound.toRequest(normalized as Readonly<Record<string, unknown>>) as Request;
    const request = { ...(options.request ? options.request(draft, normalized) : draft) } as Record<string, unknown>;
    if (operation.versionField) request[operation.versionField] = input.expectedVersion;
    const sent = variants?.operations[variants.by(input)] ?? operation;
    // This upstream may recognize repeats in another way than the contract specifies.
    const upstreamOperation = context.upstream.operation(sent);
    const isKeyPassed = passesKeyUpstream(upstreamOperation, request);
    if (upstreamOperation.keyField && isKeyPassed) request[upstreamOperation.keyField] = input.idempotencyKey;
    prepared = request as Request;
    const idempotencyKey = input.idempotencyKey ?? undefined;
    isDeduplicatedUpstream = isKeyPassed || upstreamOperation.effect === 'SETTLED';
    const toPayload = (response: Response) => ({
      ...pickRecords(returned, response),
      ...options.resolvePayload?.(response, request as Request, input),
    });
    const hasAllRecords = (response: Response) => Object.values(toPayload(response)).every((member) => member !== undefined);
    let before: RecordShape | null = null;
    const prepare = async () => {
      if (currencySource) {
        const id = (request as Readonly<Record<string, string>>)[findIdField(operation, currencySource.name)];
        await checkCurrencies(currencySource, id, listAmounts(bound.fields, normalized), context);
      }
      await options.check?.(request as Request, normalized, context);
      if (on && options.isUnchanged) before = await loadOrNull(on, String(input[bound.subject as keyof typeof input]), context);
    };
    const call = {
      operation,
      sent,
      request: request as Request,
      idempotencyKey,
      isDeduplicatedUpstream,
      hasAllRecords,
      reconcile: options.reconcile,
      prepare,
    };
    const { response, effect, isCurrent } = await perform(call, context);
    context.loaders.clear();
    const members = toPayload(response);
    const records = listRecords(returned, members);
    if (isCurrent) primeLoaders(records, context);
    const affected = Object.entries(options.affects ?? {}).map(([member, [, , getId]]) => [member, getId(response, request as Request)]);
    // The response to an earlier attempt can't be compared with the record as it was before this request.
    const isUnchanged = isCurrent && options.isUnchanged?.(response, before, request as Request);
    if (effect !== 'REPLAYED' && !isUnchanged)
      context.live?.publish(operation, listChanges(getChanged(), request, response, records), listStates(records));
    return {
      ...members,
      ...Object.fromEntries(affected),
      effect: isUnchanged ? 'UNCHANGED' : effect,
      isCurrent,
      records,
    } satisfies PayloadShape;
  } catch (error) {
    context.loaders.clear();
    const sources: BlockerSources<RecordShape> = {
      on,
      blockers: (record) => prepared && options.blockers?.(record, context, prepared),
      creationBlockers: () => prepared && options.creationBlockers?.(prepared, context),
    };
    if (error instanceof OutcomeUnknownError && prepared) {
      context.live?.publish(operation, listPossibleChanges(getChanged(), prepared));
      const sent = { request: prepared, startedAt: error.startedAt, context };
      const [created] = returned;
      throw error.with({
        operation: name,
        ...(search && created && { findCandidates: () => findCandidates(search, created.type, sent) }),
        ...(search && !isDeduplicatedUpstream && adviseCheck(error)),
      });
    }
    if (error === REHEARSED) await rejectBlocked(sources, input[bound.subject as keyof typeof input], context);
    if (!(error instanceof ApiError)) throw error;
    const explained = await explainRejection(error, operation, sources, bound, input, context);
    throw toInputPaths(explained, input, (path) => toGuardedPath(path, operation, bound));
  }
}

const listFormat = new Intl.ListFormat('en');

/** Describes an update: which fields null clears, followed by the mutation's own description. */
const describePatch = (clearable: readonly string[], more: string | undefined): string => {
  const names = listFormat.format(clearable.map((name) => `\`${name}\``));
  const cleared = names === '' ? 'Null can’t clear any of them.' : `Null clears ${names}. Other fields can’t be cleared.`;
  const sentence = `Updates only the specified fields. ${cleared}`;
  return more ? `${sentence} ${more}` : sentence;
};

/** Declares a mutation over one operation. Keys, version, scopes, errors and annotations are derived from the operation. */
export function mutation<
  Request extends object,
  Response extends object,
  const Message extends MessageFields,
  Payload extends object,
  const Members extends InputMembers = Record<never, never>,
  RecordShape extends object = object,
>(
  name: string,
  operation: Operation<Request, Response, Message>,
  options: MutationOptions<Request, Response, Message, Members, Payload, RecordShape>,
): void {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const { on, isPatch = false, names = {}, description, countPayloadItems } = options;
  const bound = bindInput(operation, options.input, { on, isPatch, names, isCompleted: options.request !== undefined });

  const Input = builder.inputType(`${title}Input`, {
    description: `Input of \`${name}\`.`,
    fields: (t) => ({ ...bound.declare(t), ...declareGuards(t, operation) }),
  }) as unknown as InputObjectRef<Types, ShapeOf<Members> & Guards>;

  const returned = toPayloadRecords(operation, options.returns, options.returnsPartial);
  const Payload = declarePayload(name, title, returned, options);
  const { search } = options;
  const [created] = returned;
  if (search) created?.type.addInterfaces([CreatedRecord]);
  const resolved = search ? { ...options, reconcile: reconcileCreated(search, created?.member ?? '') as never } : options;
  if (on) registerMutationTarget(operation, on as never, on.state !== undefined, bound.versionMember !== undefined);

  builder.mutationField(name, (t) =>
    t.field({
      ...annotateOperation(operation, isPatch ? describePatch(bound.clearable, description) : (description ?? '')),
      type: Payload,
      nullable: true,
      args: { input: t.arg({ type: Input, required: true, description: 'Input of the mutation.' }) },
      // If a scope depends on the input, the session checks all scopes together, so that the error lists all missing ones.
      ...(operation.conditionalScopes ? {} : { authScopes: { operation } }),
      extensions: {
        alsoCalls: Object.values(options.variants?.operations ?? {}),
        ...(on && options.isUnchanged && { compares: on.operation }),
        candidateCalls: search?.calls ?? 0,
        ...(countPayloadItems && { countListItems: ({ input }: { readonly input: ShapeOf<Members> }) => countPayloadItems(input) }),
      },
      errors: {
        types: getErrorTypes(operation, bound.versionMember !== undefined),
        union: {
          name: `${title}Result`,
          description: `Result of \`${name}\`: its payload or an error.`,
        },
      },
      // The type depends on the input's fields, which are generic here, so Pothos can't infer it.
      resolve: ((_root: object, args: { input: ShapeOf<Members> & Guards }, context: Context, { fieldName }: GraphQLResolveInfo) =>
        runMutation(fieldName, operation, resolved, bound, returned, args.input, context)) as never,
    }),
  );
}
