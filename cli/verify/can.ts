import { type DocumentNode, type GraphQLSchema, parse, validate } from 'graphql';
import { getCoordinateOperations, getDocumentRequirements, listCallingCoordinates } from '../../src/schema/scopeRequirements.ts';
import { parseGrants } from '../../src/upstream/access/grants.ts';
import {
  checkScopes,
  getRequirements,
  mergeRequirements,
  type ScopeCheck,
  type ScopeRequirements,
} from '../../src/upstream/access/scopeRequirements.ts';
import { Me } from '../../src/upstream/contract/generated/operations.ts';
import type { Caller, UnreachedReason } from './caller.ts';

/** A coordinate of the graph, and whether a key can use it. */
export interface CoordinateRow extends ScopeCheck {
  readonly coordinate: string;
}

/**
 * The scopes of a key. Null if the upstream doesn't report them. Throws KeyRejectedError if it rejects the key, and ScopesUnavailableError if its response can't
 * be used.
 */
export async function fetchScopes(caller: Caller): Promise<ReadonlySet<string> | null> {
  const result = await caller.send(Me, {});
  if ('response' in result) {
    try {
      return parseGrants(result.response).scopes;
    } catch {
      throw new ScopesUnavailableError({ reason: 'UNREADABLE', status: result.status, detail: 'an empty response' });
    }
  }
  if (result.reason === 'PERMISSION') return null;
  throw new ScopesUnavailableError(result);
}

/** Thrown when the key's scopes can't be read for a reason other than a missing permission. */
export class ScopesUnavailableError extends Error {
  constructor({
    reason,
    status,
    detail,
  }: { readonly reason: UnreachedReason; readonly status: number | null; readonly detail: string | null }) {
    const why = detail ?? (status === null ? reason : `${reason}, status ${status}`);
    super(`Can’t get the scopes of the key (${why}). Check --url and the key.`);
  }
}

/** Each coordinate that calls the upstream, and whether a key with these scopes can use it. */
export const createCoordinateRows = (schema: GraphQLSchema, scopes: ReadonlySet<string> | null): readonly CoordinateRow[] =>
  listCallingCoordinates(schema).map((coordinate) => {
    const called = getCoordinateOperations(schema, coordinate) ?? [];
    return { coordinate, ...checkScopes(getRequirements(called), scopes) };
  });

/** Thrown for a document that the graph rejects. */
export class BadDocumentError extends Error {}

/** The scopes that documents require together. Throws BadDocumentError if one doesn't match the schema. */
export function collectScopeNeeds(
  schema: GraphQLSchema,
  documents: readonly { readonly name: string; readonly text: string }[],
): ScopeRequirements {
  return mergeRequirements(documents.map(({ name, text }) => getDocumentRequirements(schema, parseAndValidate(schema, name, text))));
}

function parseAndValidate(schema: GraphQLSchema, name: string, text: string): DocumentNode {
  let document: DocumentNode;
  try {
    document = parse(text);
  } catch (error) {
    throw new BadDocumentError(`${name} isn’t valid GraphQL: ${(error as Error).message}`);
  }
  const [problem] = validate(schema, document);
  if (problem) throw new BadDocumentError(`${name} doesn’t match the schema: ${problem.message}`);
  return document;
}
