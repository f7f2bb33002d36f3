import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { invalidInput } from '../../failures/failures.ts';
import { decodeGlobalId } from './globalIds.ts';
import { toInputPaths } from './inputPaths.ts';
import { MAX_LOOKUPS } from './nodes.ts';
import { getEntityOfType, type Reference } from './registry.ts';
import { brandRecord } from './subjects.ts';

/** Maximum number of references per request, including duplicates. Chosen: a page of 100 rows with ten references each. */
const MAX_REFERENCES = 1_000;

/**
 * Number of references of each request so far, by response name, because a document can select `_entities` under many aliases. If a query is executed again
 * from the start, the counts stay the same.
 */
const countsByRequest = new WeakMap<object, Map<string | number, number>>();

/** Counts the references of a response name and of those before it. */
function countReferences(context: object, name: string | number, references: number): number {
  const counts = countsByRequest.get(context) ?? new Map<string | number, number>();
  countsByRequest.set(context, counts.set(name, references));
  let total = 0;
  for (const [each, count] of counts) {
    total += count;
    if (each === name) break;
  }
  return total;
}

/** Removes duplicate references. Gateways may repeat them, and each record is read only once. */
function deduplicateReferences(references: readonly unknown[]): Reference[] {
  const unique = new Map<string, Reference>();
  for (const reference of references) {
    const { __typename, id, rawId } = (reference ?? {}) as Reference;
    const key = rawId ?? (typeof id === 'string' ? (decodeGlobalId(id)?.id ?? id) : id);
    // Keys that aren't strings are rejected later, so they are only compared by type here.
    const names = [__typename, key].map((part) => (typeof part === 'string' ? part : typeof part));
    unique.set(JSON.stringify(names), (reference ?? {}) as Reference);
  }
  return [...unique.values()];
}

const createTooManyError = (limit: number, items: string, count: number) =>
  invalidInput(['representations'], 'TOO_LONG', `must have at most ${limit} ${items}, but has ${count}. Request a smaller page.`, limit);

/** Maximum length of a caller's string that a message quotes. */
const MAX_QUOTED = 100;

const getTypename = ({ __typename }: Reference): string =>
  typeof __typename === 'string' ? __typename.slice(0, MAX_QUOTED) : typeof __typename;

/** Resolves one reference to an object branded with its type. */
async function resolveReference(reference: Reference, index: number, context: Context, info: GraphQLResolveInfo): Promise<object | null> {
  const name = getTypename(reference);
  const type = info.schema.getType(name);
  const entity = type && getEntityOfType(type);
  if (!entity) {
    throw invalidInput(
      ['representations', String(index)],
      'UNKNOWN_NAME',
      `must have the name of an entity type as \`__typename\`, but has ${name}.`,
    );
  }
  try {
    const object = await entity.resolveReference(reference, context, info);
    return object && brandRecord(entity, object);
  } catch (error) {
    const key = typeof reference.rawId === 'string' ? 'rawId' : 'id';
    const toPath = ([name = '']: readonly string[]) => ['representations', String(index), name in reference ? name : key];
    throw toInputPaths(error, { representations: { [index]: reference } }, toPath);
  }
}

/** Resolves `_entities`: looks up a bounded number of records. An invalid reference only fails its own item. */
export function resolveReferences(
  _root: unknown,
  { representations }: { readonly representations: readonly Reference[] },
  context: Context,
  info: GraphQLResolveInfo,
): (Error | Promise<object | null>)[] {
  const total = countReferences(context, info.path.key, representations.length);
  if (total > MAX_REFERENCES) throw createTooManyError(MAX_REFERENCES, 'entries in total', total);
  const { length } = deduplicateReferences(representations);
  // Reports the error for each reference, because some gateways crash if a subgraph doesn't return a list.
  if (length > MAX_LOOKUPS) return representations.map(() => createTooManyError(MAX_LOOKUPS, 'different entries', length));
  return representations.map((reference, index) => resolveReference(reference, index, context, info));
}

/** References of an argument. */
export interface References {
  /** The references without duplicates, because each record is read once. */
  readonly distinct: readonly Reference[];
  /** Average number of repetitions of each reference in the response. */
  readonly repeats: number;
}

/** Removes duplicates. */
export function summarizeReferences(references: readonly unknown[]): References {
  const distinct = deduplicateReferences(references);
  return { distinct, repeats: references.length / Math.max(distinct.length, 1) };
}
