import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import type { OutputField } from '../schema/kit/fieldAnnotations.ts';
import { getOperation } from '../schema/kit/operations.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';
import { operations } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';

/** The area of types that several areas use, such as money, errors, and pages. */
export const SHARED = 'shared';

/** Whether a name is defined by federation. Such fields and types belong to no area. */
const isFederationName = (name: string) => name.startsWith('_');

const getFields = (type: GraphQLNamedType): OutputField[] =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()).filter(({ name }) => !isFederationName(name)) : [];

/** The types that a type references directly, not through its object fields. */
function getReferencedTypes(type: GraphQLNamedType): readonly GraphQLNamedType[] {
  if (isUnionType(type)) return type.getTypes();
  if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => getNamedType(field.type));
  return isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : [];
}

/** The members of a union of records. Undefined for other types. */
const getRecordMembers = (type: GraphQLNamedType): readonly GraphQLNamedType[] | undefined =>
  isUnionType(type) && type.getTypes().every((member) => getEntityOfType(member)) ? type.getTypes() : undefined;

/** Whether a type belongs to all areas, even if only one uses it so far. */
const isShared = (type: GraphQLNamedType) =>
  isScalarType(type) || (isObjectType(type) && type.getInterfaces().some(({ extensions }) => extensions.isError === true));

/** How fields and entities are assigned to areas. */
interface AreaRules {
  /** The operation that determines the area of a field. Undefined for fields that belong to the area of their type. */
  readonly getOperation: (field: OutputField) => AnyOperation | undefined;
  readonly getArea: (operation: AnyOperation) => string;
}

/** The areas of the contract. Platforms can derive contracts from a graph by area. */
const CONTRACT: AreaRules = { getOperation, getArea: ({ area }) => area };

/**
 * Assigns the types and fields of a schema to areas. An entity belongs to the area of the operation that reads it, and a root field to the area of its
 * operation. Any other type belongs to the areas from which it's reachable, and is shared if there are several.
 */
export class Areas {
  readonly #areas = new Map<GraphQLNamedType, Set<string>>();
  readonly #rules: AreaRules;
  readonly #roots: ReadonlySet<GraphQLNamedType>;

  constructor(schema: GraphQLSchema, rules = CONTRACT) {
    this.#rules = rules;
    const all = new Set(operations.map(rules.getArea));
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) => type ?? []);
    this.#roots = new Set(roots);
    for (const field of roots.flatMap(getFields)) {
      const area = this.#findArea(field);
      for (const each of area === undefined ? all : [area]) this.#addField(field, each);
    }
    for (const type of Object.values(schema.getTypeMap())) {
      const entity = getEntityOfType(type);
      if (entity) this.#addType(type, rules.getArea(entity.operation));
    }
  }

  /** The area of a field's operation. */
  #findArea(field: OutputField): string | undefined {
    const operation = this.#rules.getOperation(field);
    return operation && this.#rules.getArea(operation);
  }

  #addField(field: OutputField, area: string): void {
    for (const { type } of [field, ...field.args]) this.#addReachable(getNamedType(type), area);
  }

  /** Entities are assigned separately, by their own operation, and continue from there. */
  #addReachable(type: GraphQLNamedType, area: string): void {
    if (!getEntityOfType(type)) this.#addType(type, area);
  }

  #addType(type: GraphQLNamedType, area: string): void {
    const areas = this.#areas.get(type) ?? new Set<string>();
    if (areas.has(area) || this.#roots.has(type) || isSpecifiedScalarType(type)) return;
    this.#areas.set(type, areas.add(area));
    for (const each of getReferencedTypes(type)) this.#addReachable(each, area);
    for (const field of getFields(type)) this.#addField(field, this.#findArea(field) ?? area);
  }

  /** The area of a type. Undefined for root types, and for types of GraphQL and federation. */
  getTypeArea(type: GraphQLNamedType): string | undefined {
    const members = getRecordMembers(type);
    const areas = members ? this.#listAreas(members) : [...(this.#areas.get(type) ?? [])];
    return areas.length > 1 || (areas.length > 0 && isShared(type)) ? SHARED : areas[0];
  }

  /**
   * The areas whose exclusion removes a type from a contract. A union of records is removed with any of its members: contract filters would otherwise leave
   * removed members in it, which is invalid.
   */
  getTypeTags(type: GraphQLNamedType): readonly string[] {
    return this.#listAreas(getRecordMembers(type) ?? [type]);
  }

  /** The areas whose exclusion removes a field, in addition to those of its type. */
  getFieldTags(parent: GraphQLNamedType, field: OutputField): readonly string[] {
    const members = getRecordMembers(getNamedType(field.type));
    if (members) return this.#listAreas(members).filter((area) => area !== this.getTypeArea(parent));
    return [this.getFieldArea(parent, field) ?? []].flat();
  }

  #listAreas(types: readonly GraphQLNamedType[]): string[] {
    return [...new Set(types.flatMap((type) => this.getTypeArea(type) ?? []))].sort();
  }

  /** The area of a field if it differs from that of its type: of a root field, or of a field that leads to another area. */
  getFieldArea(parent: GraphQLNamedType, field: OutputField): string | undefined {
    if (isFederationName(field.name)) return undefined;
    if (this.#roots.has(parent)) return this.#findArea(field) ?? SHARED;
    const target = this.getTypeArea(getNamedType(field.type));
    return target === SHARED || target === this.getTypeArea(parent) ? undefined : target;
  }
}
