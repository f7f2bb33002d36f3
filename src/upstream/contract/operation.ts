import type { Limits, MessageFields } from './fields.ts';

/**
 * Effect of repeating an operation.
 * - `READ`: changes nothing.
 * - `KEYED`: the upstream recognizes a repeat by the operation's key field.
 * - `CRITICAL`: moves money or stock, or sends a message, again.
 * - `CREATING`: creates a second record.
 * - `SETTING`: writes the same values again.
 * - `SETTLED`: does nothing, as documented upstream.
 * - `EXPENSIVE_READ`: changes nothing, but is so expensive that it's neither retried, nor coalesced with other requests, nor cached beyond its own request.
 */
export type Effect = 'READ' | 'KEYED' | 'CRITICAL' | 'CREATING' | 'SETTING' | 'SETTLED' | 'EXPENSIVE_READ';

/** How a list operation is read: by page, as a prefix that can't be continued, completely, or as a prefix of a time range. */
export type Paging = 'PAGE' | 'PREFIX' | 'WHOLE' | 'WINDOW';

export interface Page {
  readonly kind: Paging;
  /** Response field with the rows. */
  readonly items: string;
  /** Rows per call. 0 for lists that are returned completely. */
  readonly defaultSize: number;
  readonly maxSize: number;
  /** Last page that can be requested. Undefined if no limit is known. */
  readonly maxPage?: number;
  /** Response flag for omitted rows. */
  readonly cutField?: string;
  /** Request fields of the time range. */
  readonly fromField?: string;
  readonly toField?: string;
  /** Members that are documented. The others are assumed. */
  readonly stated: readonly (keyof Page)[];
}

/** A list that returns the same records as an operation that gets one. */
interface CoveringList {
  /** Name of the list operation. */
  readonly list: string;
  /** Set if it isn't documented that its rows are complete records. */
  readonly assumed?: true;
}

/** Owners of the rows of a list. Without the field of an owner, the list returns the rows of all owners. */
interface ListParts {
  /** Fields of the request, and of the rows, with the owner's ID. */
  readonly owners: readonly string[];
  /** Set if it isn't documented that the rows are the same. */
  readonly assumed?: true;
}

/** Limits of a request field. */
export interface Rule extends Limits {
  /** Rules of the message, or of each message of the list. */
  readonly each?: Rules;
}

/** Limits of a request message, from the contract's protovalidate rules. */
export interface Rules {
  /** Fields of which exactly one must be set. */
  readonly exactlyOne?: readonly string[];
  /** Fields of which at least one must be set. */
  readonly atLeastOne?: readonly string[];
  readonly fields: Readonly<Record<string, Rule>>;
}

/** A response member with a record, or with a list of records. */
interface ResponseRecord {
  /** Name of the record in the contract. */
  readonly record: string;
  readonly list?: true;
}

/** Converts the messages of an operation if an overlay renames something in them. */
export interface WireForm {
  /** Converts a request to the wire's names. */
  readonly encode: (request: object) => object;
  /** Converts a request that was sent back to the contract's names. */
  readonly decodeRequest: (body: object) => object;
  /** Converts a response to the contract's names. */
  readonly decode: (response: object) => object;
}

/** An operation of the upstream, as described by the contract in `proto/`. */
export interface Operation<Request = never, Response = unknown, Fields extends MessageFields = MessageFields> {
  /** For example, `Quote/ConfirmQuote`. */
  readonly name: string;
  readonly path: string;
  /** Business area of its service, such as `sales`. */
  readonly area: string;
  /** Parts of the path that aren't documented. */
  readonly assumedPath: readonly ('service' | 'name')[];
  /** Scopes that the key must have, all of them. Empty if the upstream documents none. */
  readonly scopes: readonly string[];
  /** Also required if the request field isn't empty. */
  readonly conditionalScopes?: readonly { readonly scope: string; readonly field: string }[];
  /** Set if the upstream documents no scope, so that only the upstream can decide. */
  readonly scopesUnknown?: true;
  /** Scopes that the upstream probably requires. Only set if it documents none. */
  readonly assumedScopes?: readonly string[];
  readonly effect: Effect;
  /** Request field by which the upstream deduplicates. */
  readonly keyField?: string;
  /** Request field that makes the key required. Undefined if it always is. */
  readonly keyWhen?: string;
  readonly versionField?: string;
  readonly transition?: true;
  /** Set if clients must send a key, because the operation moves stock or money, sends a message, or ends something irrevocably. Repeating it doesn't. */
  readonly moves?: true;
  readonly page?: Page;
  /** List whose pages can replace many calls of this operation. */
  readonly cover?: CoveringList;
  /** Owners of the list's rows. Pages of all owners can replace the lists of many. */
  readonly parts?: ListParts;
  /** Set if the shape of the request or response isn't documented. */
  readonly assumed?: true;
  /** The request message. */
  readonly request: Fields;
  /** The response message. */
  readonly response: MessageFields;
  /** Set if the response for a missing record is empty. Other gets respond with `not_found`. */
  readonly emptyIfMissing?: true;
  /** Set if the response is returned as JSON, because its members aren't documented. */
  readonly isUndocumented?: true;
  /** Response members with records. */
  readonly answers: Readonly<Record<string, ResponseRecord>>;
  /** Paths of response members that are secrets: anyone who has them can act with them. Lists aren't part of a path, such as `upload.url`. */
  readonly sensitive?: readonly string[];
  readonly rules: Rules;
  /** Set if an overlay renames something in the request or response. */
  readonly wire?: WireForm;
  /** Decodes a response in the contract's names to a complete record. */
  readonly decode: (response: object) => Response;
  /** Never set: carries the request type for inference. */
  readonly types?: { readonly request: (request: Request) => void };
}

/** Whether an operation changes nothing. */
export const isRead = ({ effect }: { readonly effect: Effect }): boolean => effect === 'READ' || effect === 'EXPENSIVE_READ';

/** Whether a request can carry an idempotency key, by which the upstream recognizes repeats. */
export const takesKey = ({ keyField, keyWhen }: AnyOperation, request: object): boolean =>
  keyField !== undefined && (keyWhen === undefined || (request as Readonly<Record<string, unknown>>)[keyWhen] !== undefined);

/** Whether repeating a write has no additional effect. Without its key, a keyed operation is like any other write. */
export function isRepeatable(operation: AnyOperation, request: object): boolean {
  const { effect, keyField = '' } = operation;
  if (effect === 'SETTLED') return true;
  return takesKey(operation, request) && typeof (request as Readonly<Record<string, unknown>>)[keyField] === 'string';
}

/** The request of an operation. */
export type RequestOf<Sent> = Sent extends Operation<infer Request, infer _Response, infer _Fields> ? Request : never;

/** The decoded response of an operation. */
export type ResponseOf<Sent> = Sent extends { readonly decode: (response: object) => infer Response } ? Response : never;

/** Any operation, regardless of its messages. */
export type AnyOperation = Operation<never, unknown>;
