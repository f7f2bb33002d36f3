import type { AnyOperation } from './operation.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each, [name, ...rest]));
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: inner, ...others } = value as Readonly<Record<string, unknown>>;
  return rest.length === 0 ? others : { ...others, [name]: without(inner, rest) };
}

/** Returns a response without the members that let anyone who has them act, so that it can be stored or logged. */
export const withoutSecrets = <Response extends object>(response: Response, { sensitive = [] }: AnyOperation): Response =>
  sensitive.reduce<unknown>((kept, path) => without(kept, path.split('.')), response) as Response;
