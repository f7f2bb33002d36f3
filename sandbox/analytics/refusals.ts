import { SandboxError } from '../kernel/errors.ts';
import type { CatalogEntity, CatalogField, CatalogRelationship } from './catalog.ts';

/** A query that breaks a rule. The path is that of the part that does, within the query: `aggregate.measures[1].field`, or empty for the whole. */
export class QueryRefusal extends SandboxError {
  readonly path: string;
  /** The message without the path. */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super('invalid_argument', `query${path === '' ? '' : `.${path}`}: ${reason}`);
    this.name = 'QueryRefusal';
    this.path = path;
    this.reason = reason;
  }
}

const listOf = (named: readonly { readonly name: string }[]) => named.map(({ name }) => name).join(', ');

/** The field of a root, or a refusal of its name at this path. */
export function fieldAt({ name: entity, fields }: CatalogEntity, name: string, path: string): CatalogField {
  const field = fields.find((each) => each.name === name);
  if (!field)
    throw new QueryRefusal(path, `must be a field of ${entity}, but is ${JSON.stringify(name)}. Valid values: ${listOf(fields)}.`);
  return field;
}

/** The relationship of a root, or a refusal of its name at this path. */
export function relationshipAt({ name: entity, relationships }: CatalogEntity, name: string, path: string): CatalogRelationship {
  const relationship = relationships.find((each) => each.name === name);
  if (relationship) return relationship;
  throw new QueryRefusal(
    path,
    `must be a relationship of ${entity}, but is ${JSON.stringify(name)}. Valid values: ${listOf(relationships) || 'none'}.`,
  );
}
