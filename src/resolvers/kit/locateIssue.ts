import type { ValidationIssue } from '../../failures/failures.ts';

/** A field name at the start of an upstream error text, before a verb (`lines[0].quantity must …`) or a colon, as protovalidate writes it. */
const FIELD_PREFIX = /^([a-z]\w*(?:\[\d+\])?(?:\.[a-z]\w*(?:\[\d+\])?)*)(?:: (?=\S)| (?=(?:must|is|has|may|can|cannot|should|exceeds)\b))/;

const toCamelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const hasPath = (value: unknown, [step, ...rest]: readonly string[]): boolean => {
  if (step === undefined) return value !== undefined;
  return (
    typeof value === 'object' && value !== null && Object.hasOwn(value, step) && hasPath((value as Record<string, unknown>)[step], rest)
  );
};

/**
 * Sets the path of an issue whose upstream text starts with a field name. `toInput` converts the name to a path of the input; if the input has no such field,
 * the issue keeps its empty path.
 */
export function locateIssue(issue: ValidationIssue, input: object, toInput: (path: readonly string[]) => string[]): ValidationIssue {
  const [prefix = '', name] = issue.path.length === 0 ? (FIELD_PREFIX.exec(issue.message) ?? []) : [];
  if (name === undefined) return issue;
  const path = toInput(
    name
      .split(/[.[\]]+/)
      .filter(Boolean)
      .map(toCamelCase),
  );
  return hasPath(input, path) ? { ...issue, path, message: issue.message.slice(prefix.length) } : issue;
}
