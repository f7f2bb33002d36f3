import type { ValidationIssue } from '../../failures/failures.ts';

/** A field at the beginning of a refusal, before a verb (`lines[0].quantity must …`) or a colon, as protovalidate writes it. */
const FIELD_PREFIX = /^([a-z]\w*(?:\[\d+\])?(?:\.[a-z]\w*(?:\[\d+\])?)*)(?:: (?=\S)| (?=(?:must|is|has|may|can|cannot|should|exceeds)\b))/;

const toCamelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const hasPath = (value: unknown, [step, ...rest]: readonly string[]): boolean => {
  if (step === undefined) return value !== undefined;
  return (
    typeof value === 'object' && value !== null && Object.hasOwn(value, step) && hasPath((value as Record<string, unknown>)[step], rest)
  );
};

/**
 * Gives an issue that the upstream tells in words alone the path of the field that they begin with. Words that begin with no field of
 * the input, by the path that `toInput` makes of it, stay an issue of the whole.
 */
export function locateIssue(issue: ValidationIssue, input: object, toInput: (path: readonly string[]) => string[]): ValidationIssue {
  const [told = '', name] = issue.path.length === 0 ? (FIELD_PREFIX.exec(issue.message) ?? []) : [];
  if (name === undefined) return issue;
  const path = toInput(
    name
      .split(/[.[\]]+/)
      .filter(Boolean)
      .map(toCamelCase),
  );
  return hasPath(input, path) ? { ...issue, path, message: issue.message.slice(told.length) } : issue;
}
