import type { ObjectFieldsShape } from '@pothos/core';
import type { Context } from '../../context.ts';
import type { Blocker, ValidationIssue } from '../../failures/failures.ts';
import type { Types } from '../../schema/kit/builder.ts';
import type { ListSizes } from '../../schema/kit/costExtensions.ts';
import type { PayloadShape } from '../../schema/kit/payloads.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { Operation, RequestOf, ResponseOf } from '../../upstream/contract/operation.ts';
import type { AffectedRecord, PartialRecords, ReturnedRecords } from './payloads.ts';
import type { SentRequest } from './perform.ts';
import type { CreationSearch } from './reconcile.ts';

/** The payload with all members defined. Checked before the payload is returned. */
type CompletePayload<Payload> = { [Member in keyof Payload]-?: Exclude<Payload[Member], undefined> };

/** How a request is built if its operation needs more than the bound input. */
interface RequestOptions<Sent, Input> {
  /** Normalizes the input before it's converted to a request. */
  readonly normalize?: (input: Input) => Input;
  /** Sets the fields that no input field is bound to. */
  readonly complete?: (request: RequestOf<Sent>, input: Input) => RequestOf<Sent>;
  /** Unbound input fields that `complete` converts, by the field of the request. Used for the paths of issues. */
  readonly names?: Readonly<Record<string, string>>;
  /** Other operations with the same policy, by name. If `by` returns such a name, that operation is sent instead. */
  readonly variants?: {
    readonly by: (input: Input) => string;
    readonly operations: Readonly<Record<string, Operation<RequestOf<Sent>, ResponseOf<Sent>>>>;
  };
}

/** What a payload contains in addition to the records of the response. */
interface PayloadOptions<Sent, Input, Payload> {
  /** Records that `resolve` builds, because the response contains only some of their fields. */
  readonly partial?: PartialRecords;
  /** Builds members of the payload. One that is undefined counts as missing; null is a valid value. */
  readonly resolve: (response: ResponseOf<Sent>, request: RequestOf<Sent>, input: Input) => Payload;
  /** Returns the maximum lengths of lists. */
  readonly countItems?: (input: Input) => ListSizes;
  /** Fields that expose the members. Must come after `resolve`, from which its type is inferred. */
  readonly fields?: ObjectFieldsShape<Types, NoInfer<CompletePayload<Payload>> & PayloadShape>;
}

/** What a mutation does, without the fields of its input. */
export interface MutationOptions<Sent, Input, Payload extends object, RecordShape extends object> {
  /** Optional for updates, whose description starts with generated sentences about omitted and clearable fields. */
  readonly description?: string;
  /** Record that the mutation changes. Its ID is the first field of the input. It's read again to explain why the upstream rejected the mutation. */
  readonly on?: Entity<RecordShape>;
  /** Changes only the specified fields: omitted fields stay unchanged, and null clears fields that can be cleared. */
  readonly isPatch?: true;
  /** Only needed if the bound input isn't the whole request. */
  readonly request?: RequestOptions<Sent, Input>;
  /** Record whose currency the input's amounts must have. A request field contains its ID. An amount in another currency is rejected. */
  readonly currencySource?: Pick<Entity<{ readonly currency: string }>, 'name' | 'load'>;
  /** Finds issues of the request that its rules in the contract don't cover, with paths in the request. Without calls, unlike `check`. */
  readonly findIssues?: (request: RequestOf<Sent>) => readonly ValidationIssue[];
  /** Compares the input with records before the request is sent. A replay must not depend on records that can still be read, so it isn't compared. */
  readonly check?: (request: RequestOf<Sent>, input: Input, context: Context) => Promise<void>;
  /**
   * Records of the response that the payload contains, with descriptions. If one is missing, the outcome is unknown, because the upstream reported success but
   * not the result.
   */
  readonly returns?: ReturnedRecords<ResponseOf<Sent>>;
  /** Only needed if the payload has more than the records in `returns`. */
  readonly payload?: PayloadOptions<Sent, Input, Payload>;
  /**
   * Other objects that the mutation changes, by the payload field that returns them. Caches identify them by their keys, which cost no call, and clients can
   * select more of their fields in the same request.
   */
  readonly affects?: Readonly<Record<string, AffectedRecord<ResponseOf<Sent>, RequestOf<Sent>>>>;
  /**
   * For mutations that succeed without an effect if there is nothing to do. Decides this from the response and the `on` record before the request, which is
   * null if it can't be read. The effect is then UNCHANGED.
   */
  readonly isUnchanged?: (response: ResponseOf<Sent>, before: RecordShape | null, request: RequestOf<Sent>) => boolean;
  /**
   * Reads why the mutation is blocked, other than by the state of the `on` record. Without `on`, the record is an empty object. Also called for plans: then
   * `context.upstream.rehearsed` is set, and nothing has been rejected.
   */
  readonly blockers?: (request: RequestOf<Sent>, context: Context, record: RecordShape) => Promise<readonly Blocker[]>;
  /**
   * Reads whether a request with a lost response was applied. Returns the response that it would have received, or undefined if this is unknown. Mutations that
   * create a record, the first of `returns`, search for it instead.
   */
  readonly reconcile?: ((sent: SentRequest<RequestOf<Sent>>) => Promise<ResponseOf<Sent> | undefined>) | CreationSearch<RequestOf<Sent>>;
}
