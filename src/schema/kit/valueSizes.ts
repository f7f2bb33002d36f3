import {
  type GraphQLInputType,
  type GraphQLScalarType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';
import { countCharacters, isLongerThan } from '../../lib/characters.ts';
import { MAX_ID_LENGTH } from './globalIds.ts';
import type { BoundExtensions } from './inputs.ts';
import { countJsonBytes } from './jsonValues.ts';

/**
 * Maximum length of a list that has no higher limit of its own. Chosen: twice the longest documented one. Lists of up to this length are checked by their fields,
 * whose errors don't affect the rest of the operation.
 */
const MAX_ITEMS = 1_000;
/** Maximum length of any text in characters. Chosen: five times the longest documented one, and as long as a document. */
const MAX_LENGTH = 100_000;
/** Maximum number of list items and fields in all values of an operation. Chosen: more than the largest input has. Each is coerced up to three times. */
const MAX_VALUES = 6_000;

/** Maximum number of UTF-8 bytes of a character. */
const MAX_CHARACTER_BYTES = 4;

/** Extensions of an argument, an input field or a scalar: its own limits, which errors report. */
export interface SizeExtensions {
  readonly maxItems?: number;
  readonly maxLength?: number;
}

/** An argument, an input field, or an item of a list. */
export interface InputPosition {
  readonly type: GraphQLInputType;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A value that is too large. */
export interface Excess {
  /** Path within the argument. Empty if its values are too many in total. */
  readonly path: readonly string[];
  readonly limit: number;
  readonly message: string;
}

const createExcess = (limit: number, things: string, length: number): Excess => ({
  path: [],
  limit,
  message: `must have at most ${limit} ${things}, but has ${length}.`,
});

const TOO_MANY: Excess = { path: [], limit: MAX_VALUES, message: `must contain at most ${MAX_VALUES} values. Send several requests.` };

const prependPath = (name: string, excess: Excess): Excess => (excess === TOO_MANY ? excess : { ...excess, path: [name, ...excess.path] });

/** Returns a limit of a position: its own, the documented one of its field in the contract, or that of all lists or texts. */
function getLimit(name: keyof SizeExtensions, { type, extensions }: Partial<InputPosition> = {}): number {
  const { bound } = (extensions ?? {}) as BoundExtensions;
  const own = (extensions as SizeExtensions | undefined)?.[name] ?? (bound?.stated?.includes(name) ? bound[name] : undefined);
  return own ?? (name === 'maxItems' ? MAX_ITEMS : type && getNamedType(type).name === 'ID' ? MAX_ID_LENGTH : MAX_LENGTH);
}

/** Whether a scalar accepts lists and objects, which then aren't coerced. */
const isOpaque = ({ name, extensions }: GraphQLScalarType) => name === '_Any' || (extensions as SizeExtensions).maxLength !== undefined;

/**
 * Finds values that are too large to be coerced and checked one by one. It visits raw values, once each, and stops at the first one that is too large.
 */
export class SizeCheck {
  /** Number of visited values. */
  visited = 0;

  find(value: unknown, position: InputPosition | undefined): Excess | undefined {
    this.visited += 1;
    if (this.visited > MAX_VALUES) return TOO_MANY;
    if (typeof value === 'string') {
      if (!isLongerThan(value, MAX_LENGTH)) return undefined;
      return createExcess(getLimit('maxLength', position), 'characters', countCharacters(value));
    }
    if (typeof value !== 'object' || value === null) return undefined;
    const type = position && getNullableType(position.type);
    if (isListType(type))
      return Array.isArray(value) ? this.#findInList(value, position, type.ofType) : this.#findInItem(value, type.ofType);
    if (isScalarType(type) && isOpaque(type)) return findInJson(value, type);
    return Array.isArray(value) ? this.#findInList(value) : this.#findInObject(value, isInputObjectType(type) ? type.getFields() : {});
  }

  /** A value that is coerced to a list with one item. */
  #findInItem(value: object, type: GraphQLInputType): Excess | undefined {
    this.visited -= 1;
    return this.find(value, { type, extensions: {} });
  }

  #findInList(values: readonly unknown[], position?: InputPosition, itemType?: GraphQLInputType): Excess | undefined {
    if (values.length > MAX_ITEMS) {
      const limit = getLimit('maxItems', position);
      if (values.length > limit) return createExcess(limit, 'entries', values.length);
    }
    const item = itemType && { type: itemType, extensions: {} };
    for (const [index, value] of values.entries()) {
      const excess = this.find(value, item);
      if (excess) return prependPath(String(index), excess);
    }
    return undefined;
  }

  #findInObject(value: object, fields: Readonly<Record<string, InputPosition>>): Excess | undefined {
    for (const name in value) {
      const excess = this.find((value as Readonly<Record<string, unknown>>)[name], fields[name]);
      if (excess) return prependPath(name, excess);
    }
    return undefined;
  }
}

function findInJson(value: object, { extensions }: GraphQLScalarType): Excess | undefined {
  const { maxLength = Number.POSITIVE_INFINITY } = extensions as SizeExtensions;
  const maxBytes = MAX_CHARACTER_BYTES * maxLength;
  if (maxBytes === Number.POSITIVE_INFINITY || countJsonBytes(value, maxBytes) <= maxBytes) return undefined;
  return { path: [], limit: maxLength, message: `must have at most ${maxLength} characters as JSON.` };
}
