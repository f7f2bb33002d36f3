import { ValidationError, type ValidationIssue } from '../../failures/failures.ts';

/** InputPath of an input field: names of members, and indexes of list items as text. */
export type InputPath = readonly string[];

/** Converts a path of a request, in the contract's names, to a path of the input. Returns unknown paths unchanged. */
export type ToInputPath = (path: InputPath) => readonly string[];

/** A name with the indexes or the quoted key of its entry: `lines[0]`, `custom_fields["budget"]`. */
const STEP = String.raw`[a-z]\w*(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])*`;

/** A field name at the start of an upstream error text, before a verb (`lines[0].quantity must …`) or a colon, as protovalidate writes it. */
const FIELD_PREFIX = new RegExp(String.raw`^(${STEP}(?:\.${STEP})*)(?:: (?=\S)| (?=(?:must|is|has|may|can|cannot|should|exceeds)\b))`);

const toCamelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Splits a field name into names, indexes, and keys. */
const parseName = (name: string): string[] =>
  [...name.matchAll(/"((?:[^"\\]|\\.)*)"|\w+/g)].map(([step, key]) => key?.replaceAll(/\\(.)/g, '$1') ?? toCamelCase(step));

/** Finds a path in an input. The entry of a map is the item of a list whose `name` is its key. Undefined if the input has no such value. */
function findPath(value: unknown, [step, ...rest]: InputPath): string[] | undefined {
  if (step === undefined) return value === undefined ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  const index = Array.isArray(value) ? value.findIndex((item: { readonly name?: unknown } | null) => item?.name === step) : -1;
  const own = index < 0 ? step : String(index);
  const found = Object.hasOwn(value, own) && findPath((value as Readonly<Record<string, unknown>>)[own], rest);
  return found ? [own, ...found] : undefined;
}

/** Sets the path of an issue whose upstream text starts with a field name. If the input has no such field, the issue keeps its empty path. */
function locateIssue(issue: ValidationIssue, input: object, toInputPath: ToInputPath): ValidationIssue {
  if (issue.path.length > 0) return { ...issue, path: toInputPath(issue.path) };
  const [prefix, name] = FIELD_PREFIX.exec(issue.message) ?? [];
  const path = name === undefined ? undefined : findPath(input, toInputPath(parseName(name)));
  return path && prefix !== undefined ? { ...issue, path, message: issue.message.slice(prefix.length) } : issue;
}

/** Converts the paths of the issues of a rejected request to paths of the input, which are those of the graph. Returns other errors unchanged. */
export const toInputPaths = (error: unknown, input: object, toInputPath: ToInputPath): unknown =>
  error instanceof ValidationError ? new ValidationError(error.issues.map((issue) => locateIssue(issue, input, toInputPath))) : error;
