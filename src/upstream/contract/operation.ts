import type { Limits, MessageFields } from './fields.ts';

/**
 * The effect of repeating an operation.
 * - `READ`: changes nothing.
 * - `KEYED`: the upstream recognises a repeat by the operation's key field.
 * - `CRITICAL`: moves money or stock, or sends a message, again.
 * - `CREATING`: makes a second record.
 * - `SETTING`: writes the same values again.
 * - `SETTLED`: does nothing, as the upstream documents.
 * - `EXPENSIVE_READ`: changes nothing, and takes so much work that it is neither sent again, nor shared with other requests, nor kept beyond its own.
 */
export type Effect = 'READ' | 'KEYED' | 'CRITICAL' | 'CREATING' | 'SETTING' | 'SETTLED' | 'EXPENSIVE_READ';

/** The way in which a list operation is read: by page, as a prefix that cannot be continued, whole, or as a prefix of a stretch of time. */
export type Paging = 'PAGE' | 'PREFIX' | 'WHOLE' | 'WINDOW';

export interface Page {
  readonly kind: Paging;
  /** The response field that holds the rows. */
  readonly items: string;
  /** Rows a call; 0 for whole lists. */
  readonly defaultSize: number;
  readonly maxSize: number;
  /** The last page that can be asked for; absent when no limit is known. */
  readonly maxPage?: number;
  /** The flag of the response that says that rows were left out. */
  readonly cutField?: string;
  /** The fields of the request between which the rows of a window lie. */
  readonly fromField?: string;
  readonly toField?: string;
  /** The members that are documented; the others are a guess. */
  readonly stated: readonly (keyof Page)[];
}

/** A list that answers the same records as an operation that gets one. */
interface CoveringList {
  /** The name of the list operation. */
  readonly list: string;
  /** Nobody has documented that its rows are whole. */
  readonly assumed?: true;
}

/** Owner of the rows of a list: without the field, the list shows those of all owners. */
interface PartsOf {
  /** The field of the request, and of the rows, that names the owner. */
  readonly of: string;
  /** Nobody has documented that the rows are the same. */
  readonly assumed?: true;
}

/** The limits of one request field. */
export interface Rule extends Limits {
  /** The rules of the message, or of each message of the list. */
  readonly each?: Rules;
}

/** The limits of one request message, from the contract's protovalidate rules. */
export interface Rules {
  /** Fields of which one and only one must be given. */
  readonly exactlyOne?: readonly string[];
  /** Fields of which one or more must be given. */
  readonly atLeastOne?: readonly string[];
  readonly fields: Readonly<Record<string, Rule>>;
}

/** A member of a response that holds a record, or a list of them. */
interface Answered {
  /** The record's name in the contract. */
  readonly record: string;
  readonly list?: true;
}

/** The messages of an operation as the upstream has them, where that is not as the contract has them. */
export interface WireForm {
  /** The request on the wire. */
  readonly encode: (request: object) => object;
  /** The request that was sent. */
  readonly decodeRequest: (body: object) => object;
  /** The response in the contract's words. */
  readonly decode: (response: object) => object;
}

/** An operation of the upstream, as the contract in `proto/` describes it. */
export interface Operation<Request = never, Response = unknown, Fields extends MessageFields = MessageFields> {
  /** `Quote/ConfirmQuote`. */
  readonly name: string;
  readonly path: string;
  /** The part of the business that its service belongs to: `sales`. */
  readonly area: string;
  /** The parts of the path that nobody has documented. */
  readonly assumedPath: readonly ('service' | 'name')[];
  /** The key must hold all of them. Empty when the upstream names none. */
  readonly scopes: readonly string[];
  /** Needed as well when the field of the request is not empty. */
  readonly conditionalScopes?: readonly { readonly scope: string; readonly field: string }[];
  /** Set when the upstream names no scope: then only the upstream can decide. */
  readonly scopesUnknown?: true;
  readonly effect: Effect;
  /** The request field that the upstream de-duplicates by. */
  readonly keyField?: string;
  /** The request field that makes the key necessary; absent when it always is. */
  readonly keyWhen?: string;
  readonly versionField?: string;
  readonly transition?: true;
  /** Moves stock or money, sends a message, or ends what cannot be brought back, though a repeat does not: callers must give a key. */
  readonly moves?: true;
  readonly page?: Page;
  /** The list whose pages may stand for many calls of this operation. */
  readonly cover?: CoveringList;
  /** Whose rows a list shows: pages without it may stand for the lists of many. */
  readonly parts?: PartsOf;
  /** Nobody has documented the shape of request or response. */
  readonly assumed?: true;
  /** The fields of the request. */
  readonly request: Fields;
  /** The fields of the response. */
  readonly response: MessageFields;
  /** The response for a record that doesn't exist is empty. Other gets respond with `not_found`. */
  readonly emptyIfMissing?: true;
  /** Set where the response is returned as JSON, because nobody has documented its members. */
  readonly isUndocumented?: true;
  /** The members of the response that hold records. */
  readonly answers: Readonly<Record<string, Answered>>;
  /** The members of the response that let anyone act who has them, by their paths, in which lists take no step: `upload.url`. */
  readonly sensitive?: readonly string[];
  readonly rules: Rules;
  /** Set where an overlay renames what is sent or answered. */
  readonly wire?: WireForm;
  /** Makes the complete record of a response in the contract's words. */
  readonly decode: (response: object) => Response;
  /** Never set: carries the request type for inference. */
  readonly types?: { readonly request: (request: Request) => void };
}

/** Whether an operation changes nothing. */
export const isRead = ({ effect }: { readonly effect: Effect }): boolean => effect === 'READ' || effect === 'EXPENSIVE_READ';

/** Any operation, whatever its messages. */
export type AnyOperation = Operation<never, unknown>;
