import type { InputObjectRef, ObjectFieldsShape } from '@pothos/core';
import type { Context } from '../../context.ts';
import type { Blocker } from '../../failures/failures.ts';
import type { JsonObject } from '../../lib/json.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { CreatedRecord } from '../../schema/kit/candidates.ts';
import type { ListSizes } from '../../schema/kit/costExtensions.ts';
import { getErrorTypes } from '../../schema/kit/errors.ts';
import { annotateOperation } from '../../schema/kit/fieldAnnotations.ts';
import type { Binder, InputMembers, ShapeOf } from '../../schema/kit/inputs.ts';
import type { PayloadShape } from '../../schema/kit/payloads.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import { registerMutationTarget } from '../../schema/kit/subjects.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';
import type { Operation } from '../../upstream/contract/operation.ts';
import { bindInput } from './bindInput.ts';
import { declareGuards, type Guards } from './guards.ts';
import { type AffectedRecord, declarePayload, type PartialRecords, type ReturnedRecords, toPayloadRecords } from './payloads.ts';
import type { SentRequest } from './perform.ts';
import { type CreationSearch, reconcileCreated } from './reconcile.ts';
import { type DeclaredMutation, type MutationSteps, runMutation } from './runMutation.ts';

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
  }) as InputObjectRef<Types, Guards & JsonObject>;

  const returned = toPayloadRecords(operation, options.returns, options.returnsPartial);
  const Payload = declarePayload(name, title, returned, options);
  const { search } = options;
  const [created] = returned;
  if (search) created?.type.addInterfaces([CreatedRecord]);
  // The types of the input and the messages are checked here, and erased where the mutation runs.
  const steps = { ...options, ...(search && { reconcile: reconcileCreated(search, created?.member ?? '') }) } as unknown as MutationSteps;
  const declared = { operation: operation as DeclaredMutation['operation'], steps, bound, returned };
  if (steps.on) registerMutationTarget(operation, steps.on, steps.on.state !== undefined, bound.versionMember !== undefined);

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
      resolve: (_root, { input }, context, { fieldName }) => runMutation(declared, fieldName, input, context),
    }),
  );
}
