import { SandboxError } from '../kernel/errors.ts';
import type { CatalogEntity, CatalogField, CatalogRelationship } from './catalog.ts';

/** A query breaks a rule. The path refers to the invalid part of the query, such as `aggregate.measures[1].field`. It's empty for the whole query. */
export class InvalidQueryError extends SandboxError {
  readonly path: string;
  /** The message without the path. */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super('invalid_argument', `query${path === '' ? '' : `.${path}`}: ${reason}`);
    this.name = 'InvalidQueryError';
    this.path = path;
    this.reason = reason;
  }
}

const joinNames = (named: readonly { readonly name: string }[]) => named.map(({ name }) => name).join(', ');

/** Looks up a field of a root. Throws an error with this path if it doesn't exist. */
export function requireField({ name: entity, fields }: CatalogEntity, name: string, path: string): CatalogField {
  const field = fields.find((each) => each.name === name);
  if (!field)
    throw new InvalidQueryError(path, `must be a field of ${entity}, but is ${JSON.stringify(name)}. Valid values: ${joinNames(fields)}.`);
  return field;
}

/** Looks up a relationship of a root. Throws an error with this path if it doesn't exist. */
export function requireRelationship({ name: entity, relationships }: CatalogEntity, name: string, path: string): CatalogRelationship {
  const relationship = relationships.find((each) => each.name === name);
  if (relationship) return relationship;
  throw new InvalidQueryError(
    path,
    `must be a relationship of ${entity}, but is ${JSON.stringify(name)}. Valid values: ${joinNames(relationships) || 'none'}.`,
  );
}
