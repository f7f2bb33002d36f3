import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { knownCodeIn } from '../upstream/calls/errorBody.ts';
import type { Field, MessageFields } from '../upstream/contract/fields.ts';
import { tellableName } from '../upstream/contract/judge.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';

/** How an answer fails to hold what the contract promises of it. */
export interface Misplaced {
  /** Names on the wire of members that come under another one, by the contract's. Empty where an overlay cannot help. */
  readonly renames: Readonly<Record<string, string>>;
  /** The difference, without a value. */
  readonly told: string;
}

const plain = (name: string) => name.toLowerCase().replaceAll('_', '');

/** Whether an object could be of a message: half of its members, or more, are spelt like the message's. */
function resembles(value: unknown, { fields }: MessageFields): boolean {
  if (!isJsonObject(value)) return false;
  const known = new Set(Object.keys(fields).map(plain));
  const names = Object.keys(value);
  return names.length > 0 && names.filter((name) => known.has(plain(name))).length * 2 >= names.length;
}

function couldBe(value: unknown, { message, list }: Field): boolean {
  if (!message) return false;
  // An empty list could be any: it counts where no other member could be the one that is wanted.
  return list ? Array.isArray(value) && value.every((each) => resembles(each, message)) : resembles(value, message);
}

/** The members of a response that hold what was asked for. */
const holders = ({ page, response }: AnyOperation): readonly string[] =>
  page ? [page.items] : Object.entries(response.fields).flatMap(([name, { message, list }]) => (message && !list ? [name] : []));

/** Null says as much as absence. */
const isThere = (answer: JsonObject, name: string) => answer[name] !== undefined && answer[name] !== null;

const isError = (answer: JsonObject) => knownCodeIn(answer) !== null || isJsonObject(answer.error) || answer.success === false;

function renamesIn({ response }: AnyOperation, answer: JsonObject, unknown: readonly string[]): Record<string, string> {
  const absent = Object.entries(response.fields).filter(([name, { message }]) => message && !isThere(answer, name));
  const renames: Record<string, string> = {};
  for (const [name, field] of absent) {
    const fitting = unknown.filter((other) => tellableName(other) === other && couldBe(answer[other], field));
    const [only] = fitting.filter((other) => plain(other) === plain(name)).concat(fitting.length === 1 ? fitting : []);
    if (only !== undefined && !Object.values(renames).includes(only)) renames[name] = only;
  }
  return renames;
}

/** Looks whether a success holds the record, or the rows, that the contract promises; null when it does, or holds nothing at all. */
export function misplacedIn(operation: AnyOperation, answer: JsonObject): Misplaced | null {
  const { fields } = operation.response;
  const unknown = Object.keys(answer).filter((name) => !Object.hasOwn(fields, name));
  const names = holders(operation);
  if (unknown.length === 0 || names.length === 0) return null;
  const renames = renamesIn(operation, answer, unknown);
  if (Object.keys(renames).length > 0) return { renames, told: '' };
  if (names.some((name) => isThere(answer, name))) return null;
  const wanted = names.join(' or ');
  if (isError(answer)) return { renames, told: `an error with a success status instead of ${wanted}` };
  const outer = unknown.find((name) => isJsonObject(answer[name]) && names.some((inner) => inner in (answer[name] as JsonObject)));
  if (outer !== undefined) return { renames, told: `${wanted} is nested in ${tellableName(outer)}` };
  const bare = names.some((name) => !fields[name]?.list && resembles(answer, fields[name]?.message as MessageFields));
  return {
    renames,
    told: bare ? `the record itself instead of an object with ${wanted}` : `${wanted} is missing, but unknown fields are present`,
  };
}
