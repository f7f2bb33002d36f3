import { isJsonObject } from '../../lib/json.ts';
import type { AnyOperation } from './operation.ts';

function omitPath(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => omitPath(each, [name, ...rest]));
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: inner, ...others } = value as Readonly<Record<string, unknown>>;
  return rest.length === 0 ? others : { ...others, [name]: omitPath(inner, rest) };
}

/** Returns a response without the members that let anyone who has them act, so that it can be stored or logged. */
export const omitSecrets = <Response extends object>(response: Response, { sensitive = [] }: AnyOperation): Response =>
  sensitive.reduce<unknown>((result, path) => omitPath(result, path.split('.')), response) as Response;
