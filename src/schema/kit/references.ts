import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { invalidInput } from '../../failures/failures.ts';
import { decodeGlobalId } from './globalIds.ts';
import { MAX_LOOKUPS } from './nodes.ts';
import { getEntityOfType, type Reference } from './registry.ts';
import { brandRecord } from './subjects.ts';

/** The most references of one request, repeated ones included. Ours: a page of 100 with ten references in each row. */
const MAX_REFERENCES = 1_000;

/**
 * How many references each request has given so far, by the name in its answer: a document may ask for entities under many names. A query
 * may be executed again from its beginning, and then counts the same.
 */
const countsByRequest = new WeakMap<object, Map<string | number, number>>();

/** The references under a name and those before it. */
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

/** The references, one for each record that they name: gateways may repeat them, and each record is read only once. */
export function deduplicateReferences(references: readonly unknown[]): Reference[] {
  const found = new Map<string, Reference>();
  for (const reference of references) {
    const { __typename, id, rawId } = (reference ?? {}) as Reference;
    const key = rawId ?? (typeof id === 'string' ? (decodeGlobalId(id)?.id ?? id) : id);
    // A key that is no text is refused later: it is not to be gone into here.
    const names = [__typename, key].map((part) => (typeof part === 'string' ? part : typeof part));
    found.set(JSON.stringify(names), (reference ?? {}) as Reference);
  }
  return [...found.values()];
}

const createTooManyError = (limit: number, what: string, count: number) =>
  invalidInput(['representations'], 'TOO_LONG', `must have at most ${limit} ${what}, but has ${count}. Request a smaller page.`, limit);

/** The longest part of a caller's text that a message repeats. */
const MAX_QUOTED = 100;

const getTypename = ({ __typename }: Reference): string =>
  typeof __typename === 'string' ? __typename.slice(0, MAX_QUOTED) : typeof __typename;

/** The object behind one reference, branded with its type. */
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
  const found = await entity.resolveReference(reference, context, info);
  return found && brandRecord(entity, found);
}

/** Resolves `_entities`: looks up a bounded number of records, and lets a bad reference fail alone. */
export const resolveReferences: GraphQLFieldResolver<unknown, Context, { readonly representations: readonly Reference[] }> = (
  _root,
  { representations },
  context,
  info,
) => {
  const total = countReferences(context, info.path.key, representations.length);
  if (total > MAX_REFERENCES) throw createTooManyError(MAX_REFERENCES, 'entries in total', total);
  const { length } = deduplicateReferences(representations);
  // Each is told of, though one would do: there are gateways that end when a subgraph answers no list.
  if (length > MAX_LOOKUPS) return representations.map(() => createTooManyError(MAX_LOOKUPS, 'different entries', length));
  return representations.map((reference, index) => resolveReference(reference, index, context, info));
};
