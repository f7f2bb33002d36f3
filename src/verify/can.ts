import { type DocumentNode, type GraphQLSchema, parse, validate } from 'graphql';
import { callingCoordinates, needsOfCoordinate, needsOfDocument } from '../schema/graphNeeds.ts';
import { grantsIn } from '../upstream/access/grants.ts';
import { checkScopes, joinNeeds, NO_NEEDS, type ScopeCheck, type ScopeNeeds } from '../upstream/access/scopeNeeds.ts';
import { Me, operations } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { serviceOf } from '../upstream/contract/overlay.ts';
import type { Caller, Unreached } from './caller.ts';
import { misplacedIn } from './envelope.ts';

/** A coordinate of the graph, and whether a key may use it. */
export interface CoordinateRow extends ScopeCheck {
  readonly coordinate: string;
}

/** A service of the upstream, and how a bounded read of it ended. */
export interface ServiceRow {
  readonly service: string;
  readonly result: 'ALLOWED' | 'NO_BOUNDED_READ' | Unreached;
}

/** The scopes of a key; null when the upstream does not tell them to it. Fails with KeyRefusedError when the key is not accepted. */
export async function scopesOf(caller: Caller): Promise<ReadonlySet<string> | null> {
  const reply = await caller.ask(Me, {});
  if ('answer' in reply) return grantsIn(reply.answer).scopes;
  if (reply.reason === 'PERMISSION') return null;
  throw new CannotAskError(reply);
}

/** The upstream does not tell of the key, for another reason than that the key may not ask. */
export class CannotAskError extends Error {
  constructor({ reason, status, detail }: { readonly reason: Unreached; readonly status: number | null; readonly detail: string | null }) {
    const why = detail ?? (status === null ? reason : `${reason}, status ${status}`);
    super(`Can’t get the scopes of the key (${why}). Check --url and the key.`);
  }
}

/** Each coordinate that calls the upstream, with the answer for a key of these scopes. */
export const coordinateRows = (schema: GraphQLSchema, scopes: ReadonlySet<string> | null): readonly CoordinateRow[] =>
  callingCoordinates(schema).map((coordinate) => {
    const needs = needsOfCoordinate(schema, coordinate) ?? NO_NEEDS;
    return { coordinate, ...checkScopes(needs, scopes) };
  });

/** A document that this graph would refuse. */
export class BadDocumentError extends Error {}

/** The scopes that documents need together. Fails with BadDocumentError when one of them does not fit the schema. */
export function needsOfDocuments(
  schema: GraphQLSchema,
  documents: readonly { readonly name: string; readonly text: string }[],
): ScopeNeeds {
  return joinNeeds(documents.map(({ name, text }) => needsOfDocument(schema, validated(schema, name, text))));
}

function validated(schema: GraphQLSchema, name: string, text: string): DocumentNode {
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

/** A read that takes no id, and answers little: that of one row where there is a page. */
function boundedRead(service: string): AnyOperation | undefined {
  const free = operations.filter(
    ({ name, effect, request }) =>
      serviceOf(name) === service &&
      effect === 'READ' &&
      !request.exactlyOne &&
      Object.values(request.fields).every(({ required }) => !required),
  );
  return free.find(({ request }) => 'pageSize' in request.fields) ?? free[0];
}

/** Asks each service for one row, which tells a missing scope, a missing permission and a wrong address apart. */
export async function serviceRows(caller: Caller): Promise<readonly ServiceRow[]> {
  const rows: ServiceRow[] = [];
  for (const service of new Set(operations.map(({ name }) => serviceOf(name)))) {
    const read = boundedRead(service);
    if (!read) {
      rows.push({ service, result: 'NO_BOUNDED_READ' });
      continue;
    }
    const reply = await caller.ask(read, 'pageSize' in read.request.fields ? { pageSize: 1 } : {});
    if (!('answer' in reply)) rows.push({ service, result: reply.reason });
    // An error, or rows in another place, may come as a success.
    else rows.push({ service, result: misplacedIn(read, reply.answer) ? 'UNREADABLE' : 'ALLOWED' });
  }
  return rows;
}
