/** Parts of a query that determine its column names, as in `AnalyticsSelectInput`. */
export interface NamedSelect {
  readonly aggregate?: NamedAggregate | null | undefined;
  readonly records?: readonly string[] | null | undefined;
}

interface NamedAggregate {
  readonly measures: readonly NamedMeasure[];
  readonly dimensions?: readonly NamedDimension[] | null | undefined;
}

interface Named {
  readonly name?: string | null | undefined;
}

interface NamedField extends Named {
  readonly field: string;
}

interface NamedRatio extends Named {
  readonly numerator: string;
  readonly denominator: string;
}

interface NamedDimension extends NamedField {
  readonly bucket?: string | null | undefined;
}

interface NamedMeasure {
  readonly count?: Named | null | undefined;
  readonly countDistinct?: NamedField | null | undefined;
  readonly sum?: NamedField | null | undefined;
  readonly avg?: NamedField | null | undefined;
  readonly min?: NamedField | null | undefined;
  readonly max?: NamedField | null | undefined;
  readonly percentile?: NamedField | null | undefined;
  readonly ratio?: NamedRatio | null | undefined;
}

/** Prefixes of default column names, by measure. They are the upstream's names of the aggregations. */
const PREFIXES = {
  countDistinct: 'count_distinct',
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  percentile: 'percentile_disc',
} as const;

/** A column without its final name. */
interface ColumnDraft {
  readonly specifiedName: string | null;
  readonly defaultName: string;
}

const createDraft = ({ name }: Named, defaultName: string): ColumnDraft => ({ specifiedName: name || null, defaultName });

function draftMeasure(measure: NamedMeasure): ColumnDraft {
  const { count, ratio } = measure;
  if (count) return createDraft(count, 'count');
  if (ratio) return createDraft(ratio, `${ratio.numerator}_per_${ratio.denominator}`);
  for (const [kind, prefix] of Object.entries(PREFIXES)) {
    const of = measure[kind as keyof typeof PREFIXES];
    if (of) return createDraft(of, `${prefix}_${of.field}`);
  }
  return { specifiedName: null, defaultName: '' };
}

const draftDimension = (dimension: NamedDimension): ColumnDraft =>
  createDraft(dimension, dimension.bucket ? `${dimension.field}_${dimension.bucket.toLowerCase()}` : dimension.field);

function draftColumns({ aggregate, records }: NamedSelect): ColumnDraft[] {
  if (!aggregate) return (records ?? []).map((field) => ({ specifiedName: null, defaultName: field }));
  return [...(aggregate.dimensions ?? []).map(draftDimension), ...aggregate.measures.map(draftMeasure)];
}

/**
 * Returns the column names of a query's result, dimensions before measures. A specified name is used as is. A default name is the field's, with the measure as
 * prefix or the bucket as suffix, and with `_2`, `_3` if it's already used. For `sort`, `cell(column:)` and ratios, before the query is sent.
 */
export function columnNames(select: NamedSelect): string[] {
  const drafts = draftColumns(select);
  const usedNames = new Set(drafts.flatMap(({ specifiedName }) => specifiedName ?? []));
  /** Next suffix of each default name, because the search for one must not start again for each column. */
  const suffixes = new Map<string, number>();
  return drafts.map(({ specifiedName, defaultName }) => {
    if (specifiedName !== null) return specifiedName;
    let name = defaultName;
    let suffix = suffixes.get(defaultName) ?? 2;
    for (; usedNames.has(name); suffix += 1) name = `${defaultName}_${suffix}`;
    suffixes.set(defaultName, suffix);
    usedNames.add(name);
    return name;
  });
}
