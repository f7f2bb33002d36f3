import type { ValidationIssue } from '../../failures/failures.ts';
import type { AnalyticsEntity, ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { enumOf, enumsNamed, toWireText } from './enumTexts.ts';
import { only } from './findings.ts';
import type { GivenComparison, GivenFilter, GivenMeasure, GivenQuery } from './inputs.ts';
import type { Path } from './wire.ts';
import { entityName } from './words.ts';

/** Operators that compare complete values. `CONTAINS` compares parts of the upstream's spelling. */
const OF_WHOLE_VALUES: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'IN', 'NOT_IN']);

/** The entity of a filter by its name in the catalog. Undefined if its relationship isn't in the catalog. */
type EntityName = string | undefined;

/** Replaces the enum values of a query with the upstream's spelling. */
export class EnumInputs {
  readonly #entities: readonly AnalyticsEntity[];
  /** Issues of values whose enum isn't known, because their relationship isn't in the catalog. */
  readonly unresolved: ValidationIssue[] = [];

  constructor(catalog: ListCatalogResponse | null) {
    this.#entities = catalog?.entities ?? [];
  }

  query(query: GivenQuery, path: Path): GivenQuery {
    const entity = entityName(query.entity, [...path, 'entity']);
    const { aggregate } = query.select;
    const measures = aggregate?.measures.map((each, index) =>
      this.#measure(each, entity, [...path, 'select', 'aggregate', 'measures', String(index)]),
    );
    return {
      ...query,
      ...(query.filter && { filter: this.#filter(query.filter, entity, [...path, 'filter']) }),
      ...(aggregate && measures && { select: { aggregate: { ...aggregate, measures } } }),
    };
  }

  #measure(measure: GivenMeasure, entity: EntityName, path: Path): GivenMeasure {
    const kind = only(measure) as keyof GivenMeasure;
    const of = measure[kind];
    if (!of || !('condition' in of) || !of.condition) return measure;
    return { [kind]: { ...of, condition: this.#filter(of.condition, entity, [...path, kind, 'condition']) } };
  }

  #filter({ all, any, compare, related, ...rest }: GivenFilter, entity: EntityName, path: Path): GivenFilter {
    const each = (filters: readonly GivenFilter[], name: string) =>
      filters.map((filter, index) => this.#filter(filter, entity, [...path, name, String(index)]));
    return {
      ...rest,
      ...(all && { all: each(all, 'all') }),
      ...(any && { any: each(any, 'any') }),
      ...(compare && { compare: this.#comparison(compare, entity, [...path, 'compare']) }),
      ...(related && {
        related: {
          ...related,
          ...(related.filter && {
            filter: this.#filter(related.filter, this.#targetOf(entity, related.relationship), [...path, 'related', 'filter']),
          }),
        },
      }),
    };
  }

  #targetOf(entity: EntityName, relationship: string): EntityName {
    const { relationships = [] } = this.#entities.find(({ name }) => name === entity) ?? {};
    return relationships.find(({ name }) => name === relationship)?.entity;
  }

  #comparison(comparison: GivenComparison, entity: EntityName, path: Path): GivenComparison {
    const { field, operator, values } = comparison;
    if (!values || !OF_WHOLE_VALUES.has(operator)) return comparison;
    const known = entity === undefined ? undefined : enumOf(entity, field);
    const { words = [] } = this.#entities.find(({ name }) => name === entity)?.fields.find(({ name }) => name === field) ?? {};
    return {
      ...comparison,
      values: values.map((value, index) => {
        if (typeof value.text !== 'string') return value;
        if (entity === undefined) this.#checkUnresolved(field, value.text, [...path, 'values', String(index), 'text']);
        return { ...value, text: toWireText(known, value.text, words) };
      }),
    };
  }

  #checkUnresolved(field: string, text: string, path: Path): void {
    const known = enumsNamed(field).filter((each) => each.hasMember(text));
    if (known.length === 0) return;
    const spellings = known.map((each) => each.toWire(text, path)).join(', ');
    const message = `must be spelled as in the Workspace API, such as ${spellings}, because the catalog doesn’t contain the relationship.`;
    this.unresolved.push({ path: [...path], code: 'NOT_ALLOWED', limit: null, message });
  }
}
