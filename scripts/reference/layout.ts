import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type GraphQLNamedType, type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { OutputField } from '../../src/schema/kit/fieldAnnotations.ts';
import { getOperation } from '../../src/schema/kit/operations.ts';
import { getEntityOfType } from '../../src/schema/kit/registry.ts';
import { Areas, SHARED } from '../../src/subgraph/areas.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';

/** The subject of each upstream service: the name of the file that defines it, such as `work-orders` for `WorkOrder`. */
const SUBJECTS = new Map(
  globSync('proto/publicapi/v1/*.proto').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^service (\w+) \{/gm)].map(
      ([, service = '']) => [service, basename(file, '.proto').replaceAll('_', '-')] as const,
    ),
  ),
);

const getSubject = ({ name }: AnyOperation): string => SUBJECTS.get(name.split('/')[0] ?? '') ?? SHARED;

/** The operation that reads the rows of a field that returns a connection of records. */
function getRowOperation({ type }: OutputField): AnyOperation | undefined {
  const connection = getNamedType(type);
  const nodes = isObjectType(connection) ? connection.getFields().nodes : undefined;
  return nodes && getEntityOfType(getNamedType(nodes.type))?.operation;
}

/** A search is documented with its records, although its operation is an analytics query. */
const getDocumentedOperation = (field: OutputField) => getOperation(field) && (getRowOperation(field) ?? getOperation(field));

/** The subjects of each area, sorted by name. */
const SUBJECTS_BY_AREA = new Map(
  [...Map.groupBy(operations, ({ area }) => area)]
    .map(([area, own]) => [area, [...new Set(own.map(getSubject))].sort()] as const)
    .sort(([one], [other]) => one.localeCompare(other, 'en')),
);

/** The areas in the order of the reference. */
export const AREAS: readonly string[] = [...SUBJECTS_BY_AREA.keys(), SHARED];

/** Areas with several subjects have a page for each. The other areas consist of a single page. */
export const listSubjects = (area: string): readonly string[] => {
  const subjects = SUBJECTS_BY_AREA.get(area) ?? [];
  return subjects.length > 1 ? subjects : [];
};

/** Decides on which page of the reference a field or type is documented. Pages are paths, such as `sales/quotes` or `inventory`. */
export class Layout {
  readonly #areas: Areas;
  readonly #subjects: Areas;

  constructor(schema: GraphQLSchema) {
    this.#areas = new Areas(schema, { getOperation: getDocumentedOperation, getArea: ({ area }) => area });
    this.#subjects = new Areas(schema, { getOperation: getDocumentedOperation, getArea: getPage });
  }

  /** The page of a root field. */
  getFieldPage(root: GraphQLObjectType, field: OutputField): string {
    return this.#subjects.getFieldArea(root, field) ?? SHARED;
  }

  /** The page of a type: that of the only subject that uses it, otherwise that of the only area. */
  getTypePage(type: GraphQLNamedType): string {
    const page = this.#subjects.getTypeArea(type) ?? SHARED;
    return page === SHARED ? (this.#areas.getTypeArea(type) ?? SHARED) : page;
  }
}

const getPage = (operation: AnyOperation): string => {
  const subject = getSubject(operation);
  return listSubjects(operation.area).includes(subject) ? `${operation.area}/${subject}` : operation.area;
};
