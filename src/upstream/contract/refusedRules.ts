import type { ValidationIssue } from '../../failures/failures.ts';
import type { MessageFields } from './fields.ts';
import type { AnyOperation } from './operation.ts';
import { brokenRules } from './rules.ts';

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Whether a text has a field's name in it, in either of its spellings. */
const names = (text: string, field: string): boolean => new RegExp(`(?<![\\w])(${field}|${toSnakeCase(field)})(?![\\w])`, 'i').test(text);

/** The names of all fields of a message, and of those inside it, with their names on the wire. */
function fieldNames(message: MessageFields, found = new Map<string, string>(), seen = new Set<MessageFields>()): Map<string, string> {
  if (seen.has(message)) return found;
  seen.add(message);
  for (const [name, field] of Object.entries(message.fields)) {
    found.set(name, field.wire ?? name);
    if (field.message) fieldNames(field.message, found, seen);
  }
  return found;
}

/** The fields that a broken rule is about, from the outermost in: those on its path, or those that do not go together. */
const fieldsOf = ({ path }: ValidationIssue, { request }: AnyOperation): readonly string[] =>
  path.length === 0 ? (request.exactlyOne ?? request.atLeastOne ?? []) : path.filter((step) => !/^\d+$/.test(step));

/**
 * The issues of a request that the upstream has refused as invalid. The upstream documents no form for them, so the rules of the contract that the request
 * breaks are told, as far as its words name their fields or name none. Its words are told as well, unless they are about those fields only.
 */
export function issuesOfRefusal(request: unknown, operation: AnyOperation, words: string | null): ValidationIssue[] {
  const named = [...fieldNames(operation.request)].flatMap(([name, wire]) => (words !== null && names(words, wire) ? [name] : []));
  const broken = brokenRules(request, operation.rules);
  const isNamed = (name: string | undefined) => name !== undefined && named.includes(name);
  const innermost = broken.filter((issue) => isNamed(fieldsOf(issue, operation).at(-1)));
  const around = broken.filter((issue) => named.length === 0 || fieldsOf(issue, operation).some(isNamed));
  const told = innermost.length > 0 ? innermost : around;
  const explained = new Set(told.flatMap((issue) => fieldsOf(issue, operation)));
  const isExplained = named.length > 0 && named.every((name) => explained.has(name));
  return words === null || isExplained ? told : [...told, { path: [], code: 'OTHER', limit: null, message: words }];
}
