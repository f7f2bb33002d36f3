import { type DocumentNode, type GraphQLSchema, parse, validate } from 'graphql';
import { getCoordinateOperations, getDocumentRequirements, listCallingCoordinates } from '../schema/scopeRequirements.ts';
import { parseGrants } from '../upstream/access/grants.ts';
import {
  checkScopes,
  getRequirements,
  mergeRequirements,
  type ScopeCheck,
  type ScopeRequirements,
} from '../upstream/access/scopeRequirements.ts';
import { Me, operations } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { getServiceName } from '../upstream/contract/overlay.ts';
import type { Caller, UnreachedReason } from './caller.ts';
import { findMismatch } from './envelope.ts';

/** Why the upstream rejected a call although the key's scopes allow it. */
type Rejection = Extract<UnreachedReason, 'PERMISSION' | 'ADDRESS'>;

/** A coordinate of the graph, and whether a key can use it. */
export interface CoordinateRow extends ScopeCheck {
  readonly coordinate: string;
  /** The rejected read behind `can`: of the coordinate itself for `NO`, of its service for `UNKNOWN`. */
  readonly rejected?: { readonly operation: string; readonly reason: Rejection };
}

/** A service of the upstream, and the result of one bounded read. */
export interface ServiceRow {
  readonly service: string;
  /** The read that was sent. Null if every read of the service requires an ID. */
  readonly operation: string | null;
  readonly result: 'ALLOWED' | 'NO_BOUNDED_READ' | UnreachedReason;
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

const isRejection = (result: ServiceRow['result']): result is Rejection => result === 'PERMISSION' || result === 'ADDRESS';

/**
 * Applies the results of the service reads to the rows. A coordinate whose read was rejected can't be used. Whether the rest of the service is affected is
 * unknown, because permissions can differ by operation.
 */
export function applyRejections(
  schema: GraphQLSchema,
  rows: readonly CoordinateRow[],
  services: readonly ServiceRow[],
): readonly CoordinateRow[] {
  const rejections = new Map(
    services.flatMap(({ service, operation, result }) =>
      operation !== null && isRejection(result) ? [[service, { operation, reason: result }] as const] : [],
    ),
  );
  return rows.map((row) => {
    const called = row.can === 'NO' ? [] : (getCoordinateOperations(schema, row.coordinate) ?? []);
    const rejected = called.flatMap(({ name }) => rejections.get(getServiceName(name)) ?? []);
    const ownRejection = rejected.find(({ operation }) => called.some(({ name }) => name === operation));
    if (ownRejection) return { ...row, can: 'NO', rejected: ownRejection };
    return rejected[0] ? { ...row, can: 'UNKNOWN', rejected: rejected[0] } : row;
  });
}

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

/** A read without IDs, preferably a list that can be limited to one row. */
function findBoundedRead(service: string): AnyOperation | undefined {
  const free = operations.filter(
    ({ name, effect, request }) =>
      getServiceName(name) === service &&
      effect === 'READ' &&
      !request.exactlyOne &&
      Object.values(request.fields).every(({ required }) => !required),
  );
  return free.find(({ request }) => 'pageSize' in request.fields) ?? free[0];
}

/** Reads one row from each service, to distinguish a missing scope, a missing permission and a disallowed IP address. */
export async function probeServices(caller: Caller): Promise<readonly ServiceRow[]> {
  const rows: ServiceRow[] = [];
  for (const service of new Set(operations.map(({ name }) => getServiceName(name)))) {
    const read = findBoundedRead(service);
    if (!read) {
      rows.push({ service, operation: null, result: 'NO_BOUNDED_READ' });
      continue;
    }
    const result = await caller.send(read, 'pageSize' in read.request.fields ? { pageSize: 1 } : {});
    if (!('response' in result)) rows.push({ service, operation: read.name, result: result.reason });
    // A successful response can contain an error, or rows in another member.
    else rows.push({ service, operation: read.name, result: findMismatch(read, result.response) ? 'UNREADABLE' : 'ALLOWED' });
  }
  return rows;
}
