import type { JsonObject } from '../lib/json.ts';
import { decodeGlobalId, getOwnerType, haveSameRecords, toGlobalId, withArticle } from '../schema/kit/globalIds.ts';
import type { ArgumentProblem } from './argumentProblems.ts';
import type { Argument } from './inputSchemas.ts';

/** Replaces the IDs at a path, including those in lists on the path. */
function replaceIds(value: unknown, [step, ...rest]: readonly string[], replace: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceIds(each, step === undefined ? [] : [step, ...rest], replace));
  if (step === undefined) return typeof value === 'string' ? replace(value) : value;
  if (typeof value !== 'object' || value === null || !(step in value)) return value;
  return { ...value, [step]: replaceIds((value as JsonObject)[step], rest, replace) };
}

const listIdTypes = (known: readonly Argument[]): readonly (readonly [path: string, type: string])[] =>
  known.flatMap(({ idTypes }) => Object.entries(idTypes));

/**
 * Replaces raw IDs by global ones, so that they can be compared with records and passed to `node`. Raw IDs that are only unique within an owner stay unchanged.
 */
export const convertToGlobalIds = (args: JsonObject, known: readonly Argument[]): JsonObject =>
  listIdTypes(known)
    .filter(([, type]) => getOwnerType(type) === undefined)
    .reduce((result, [path, type]) => {
      const replace = (id: string) => (decodeGlobalId(id) ? id : toGlobalId(type, id));
      return replaceIds(result, path.split('.'), replace) as JsonObject;
    }, args);

/** Finds global IDs whose type differs from the argument's. */
export function findIdProblems(args: JsonObject, known: readonly Argument[]): readonly ArgumentProblem[] {
  const problems: ArgumentProblem[] = [];
  for (const [path, type] of listIdTypes(known))
    replaceIds(args, path.split('.'), (id) => {
      const actual = decodeGlobalId(id)?.typename ?? type;
      const message = `\`${path}\` must be ${withArticle(type)} ID, but is ${withArticle(actual)} ID.`;
      if (!haveSameRecords(actual, type)) problems.push({ argument: path, message });
      return id;
    });
  return problems;
}
