import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { findKnownCode } from '../upstream/calls/errorBody.ts';
import { redactName } from '../upstream/contract/comparison.ts';
import type { Field, MessageFields } from '../upstream/contract/fields.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { normalizeName } from './sharedRenames.ts';

/** How a response differs from the envelope in the contract. */
export interface ResponseMismatch {
  /** Wire names of members that have another name, by their name in the contract. Empty if an overlay can't correct the difference. */
  readonly renames: Readonly<Record<string, string>>;
  /** Description of the difference, without values. */
  readonly difference: string;
}

/** Whether a value can be an object of a message: at least half of its members have names of the message, ignoring case and underscores. */
function resembles(value: unknown, { fields }: MessageFields): boolean {
  if (!isJsonObject(value)) return false;
  const known = new Set(Object.keys(fields).map(normalizeName));
  const names = Object.keys(value);
  return names.length > 0 && names.filter((name) => known.has(normalizeName(name))).length * 2 >= names.length;
}

function canBeField(value: unknown, { message, list }: Field): boolean {
  if (!message) return false;
  // An empty list fits every list field. It only counts as a match if it's the only candidate.
  return list ? Array.isArray(value) && value.every((each) => resembles(each, message)) : resembles(value, message);
}

/** The members of a response that contain the requested record or rows. */
const listDataMembers = ({ page, response }: AnyOperation): readonly string[] =>
  page ? [page.items] : Object.entries(response.fields).flatMap(([name, { message, list }]) => (message && !list ? [name] : []));

/** Null means the same as absence. */
const isPresent = (body: JsonObject, name: string) => body[name] !== undefined && body[name] !== null;

const isErrorBody = (body: JsonObject) => findKnownCode(body) !== null || isJsonObject(body.error) || body.success === false;

function findRenames({ response }: AnyOperation, body: JsonObject, unknown: readonly string[]): Record<string, string> {
  const absent = Object.entries(response.fields).filter(([name, { message }]) => message && !isPresent(body, name));
  const renames: Record<string, string> = {};
  for (const [name, field] of absent) {
    const fitting = unknown.filter((other) => redactName(other) === other && canBeField(body[other], field));
    const [only] = fitting.filter((other) => normalizeName(other) === normalizeName(name)).concat(fitting.length === 1 ? fitting : []);
    if (only !== undefined && !Object.values(renames).includes(only)) renames[name] = only;
  }
  return renames;
}

/** Checks that a successful response contains the record or rows that the contract specifies. Null if it does, or if there is nothing to compare. */
export function findMismatch(operation: AnyOperation, body: JsonObject): ResponseMismatch | null {
  const { fields } = operation.response;
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(fields, name));
  const names = listDataMembers(operation);
  if (unknown.length === 0 || names.length === 0) return null;
  const renames = findRenames(operation, body, unknown);
  if (Object.keys(renames).length > 0) return { renames, difference: '' };
  if (names.some((name) => isPresent(body, name))) return null;
  const expected = names.join(' or ');
  if (isErrorBody(body)) return { renames, difference: `an error with a success status instead of ${expected}` };
  const outer = unknown.find((name) => isJsonObject(body[name]) && names.some((inner) => inner in (body[name] as JsonObject)));
  if (outer !== undefined) return { renames, difference: `${expected} is nested in ${redactName(outer)}` };
  const isBareRecord = names.some((name) => !fields[name]?.list && resembles(body, fields[name]?.message as MessageFields));
  return {
    renames,
    difference: isBareRecord
      ? `the record itself instead of an object with ${expected}`
      : `${expected} is missing, but unknown fields are present`,
  };
}
