import type { ValidationIssue } from '../../failures/failures.ts';
import type { AnalyticsEntity, ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { toEntityName } from './enums.ts';
import { getFieldEnum, listEnumsByField, toWireText } from './fieldEnums.ts';
import { getOnlyMember } from './findings.ts';
import type { ComparisonShape, FilterShape, MeasureShape, QueryShape } from './inputs.ts';
import type { WirePath } from './wireQuery.ts';

/** Operators that compare complete values. `CONTAINS` compares parts of the upstream's spelling. */
const COMPLETE_VALUE_OPERATORS: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'IN', 'NOT_IN']);

/** The entity of a filter by its name in the catalog. Undefined if its relationship isn't in the catalog. */
type EntityName = string | undefined;

/** Replaces the enum values of a query with the upstream's spelling. */
export class EnumTranslator {
  readonly #entities: readonly AnalyticsEntity[];
  /** Issues of values whose enum isn't known, because their relationship isn't in the catalog. */
  readonly unresolved: ValidationIssue[] = [];

  constructor(catalog: ListCatalogResponse | null) {
    this.#entities = catalog?.entities ?? [];
  }

  translateQuery(query: QueryShape, path: WirePath): QueryShape {
    const entity = toEntityName(query.entity, [...path, 'entity']);
    const { aggregate } = query.select;
    const measures = aggregate?.measures.map((each, index) =>
      this.#translateMeasure(each, entity, [...path, 'select', 'aggregate', 'measures', String(index)]),
    );
    return {
      ...query,
      ...(query.filter && { filter: this.#translateFilter(query.filter, entity, [...path, 'filter']) }),
      ...(aggregate && measures && { select: { aggregate: { ...aggregate, measures } } }),
    };
  }

  #translateMeasure(measure: MeasureShape, entity: EntityName, path: WirePath): MeasureShape {
    const kind = getOnlyMember(measure) as keyof MeasureShape;
    const of = measure[kind];
    if (!of || !('condition' in of) || !of.condition) return measure;
    return { [kind]: { ...of, condition: this.#translateFilter(of.condition, entity, [...path, kind, 'condition']) } };
  }

  #translateFilter({ all, any, compare, related, ...rest }: FilterShape, entity: EntityName, path: WirePath): FilterShape {
    const translateAll = (filters: readonly FilterShape[], name: string) =>
      filters.map((filter, index) => this.#translateFilter(filter, entity, [...path, name, String(index)]));
    return {
      ...rest,
      ...(all && { all: translateAll(all, 'all') }),
      ...(any && { any: translateAll(any, 'any') }),
      ...(compare && { compare: this.#translateComparison(compare, entity, [...path, 'compare']) }),
      ...(related && {
        related: {
          ...related,
          ...(related.filter && {
            filter: this.#translateFilter(related.filter, this.#getRelatedEntity(entity, related.relationship), [
              ...path,
              'related',
              'filter',
            ]),
          }),
        },
      }),
    };
  }

  #getRelatedEntity(entity: EntityName, relationship: string): EntityName {
    const { relationships = [] } = this.#entities.find(({ name }) => name === entity) ?? {};
    return relationships.find(({ name }) => name === relationship)?.entity;
  }

  #translateComparison(comparison: ComparisonShape, entity: EntityName, path: WirePath): ComparisonShape {
    const { field, operator, values } = comparison;
    if (!values || !COMPLETE_VALUE_OPERATORS.has(operator)) return comparison;
    const known = entity === undefined ? undefined : getFieldEnum(entity, field);
    const { words: catalogValues = [] } =
      this.#entities.find(({ name }) => name === entity)?.fields.find(({ name }) => name === field) ?? {};
    return {
      ...comparison,
      values: values.map((value, index) => {
        if (typeof value.text !== 'string') return value;
        if (entity === undefined) this.#checkUnresolved(field, value.text, [...path, 'values', String(index), 'text']);
        return { ...value, text: toWireText(known, value.text, catalogValues) };
      }),
    };
  }

  #checkUnresolved(field: string, text: string, path: WirePath): void {
    const known = listEnumsByField(field).filter((each) => each.hasMember(text));
    if (known.length === 0) return;
    const spellings = known.map((each) => each.toWire(text, path)).join(', ');
    const message = `must be spelled as in the Workspace API, such as ${spellings}, because the catalog doesn’t contain the relationship.`;
    this.unresolved.push({ path: [...path], code: 'NOT_ALLOWED', limit: null, message });
  }
}
