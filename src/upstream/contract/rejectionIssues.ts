import type { ValidationIssue } from '../../failures/failures.ts';
import type { MessageFields } from './fields.ts';
import type { AnyOperation } from './operation.ts';
import { findBrokenRules } from './rules.ts';

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Whether a text contains a field's name, in camelCase or snake_case. */
const mentionsField = (text: string, field: string): boolean =>
  new RegExp(`(?<![\\w])(${field}|${toSnakeCase(field)})(?![\\w])`, 'i').test(text);

/** Returns the names of all fields of a message, including nested ones, with their wire names. */
function collectFieldNames(
  message: MessageFields,
  found = new Map<string, string>(),
  seen = new Set<MessageFields>(),
): Map<string, string> {
  if (seen.has(message)) return found;
  seen.add(message);
  for (const [name, field] of Object.entries(message.fields)) {
    found.set(name, field.wire ?? name);
    if (field.message) collectFieldNames(field.message, found, seen);
  }
  return found;
}

/** Returns the fields that a broken rule concerns, from the outermost in: those on its path, or those that must be combined. */
const getFields = ({ path }: ValidationIssue, { request }: AnyOperation): readonly string[] =>
  path.length === 0 ? (request.exactlyOne ?? request.atLeastOne ?? []) : path.filter((step) => !/^\d+$/.test(step));

/**
 * Returns the issues of a request that the upstream has rejected as invalid. Their format isn't documented upstream, so the result has the rules of the
 * contract that the request breaks, if the message names their fields or no field at all. It also has the upstream's message, unless that only concerns those
 * fields.
 */
export function getRejectionIssues(request: unknown, operation: AnyOperation, message: string | null): ValidationIssue[] {
  const named = [...collectFieldNames(operation.request)].flatMap(([name, wire]) =>
    message !== null && mentionsField(message, wire) ? [name] : [],
  );
  const broken = findBrokenRules(request, operation.rules);
  const isNamed = (name: string | undefined) => name !== undefined && named.includes(name);
  const innermost = broken.filter((issue) => isNamed(getFields(issue, operation).at(-1)));
  const around = broken.filter((issue) => named.length === 0 || getFields(issue, operation).some(isNamed));
  const reported = innermost.length > 0 ? innermost : around;
  const explained = new Set(reported.flatMap((issue) => getFields(issue, operation)));
  const isExplained = named.length > 0 && named.every((name) => explained.has(name));
  return message === null || isExplained ? reported : [...reported, { path: [], code: 'OTHER', limit: null, message }];
}
