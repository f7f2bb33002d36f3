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
const WORDS = {
  countDistinct: 'count_distinct',
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  percentile: 'percentile_disc',
} as const;

/** A column without its final name. */
interface Draft {
  readonly given: string | null;
  readonly made: string;
}

const drafted = ({ name }: Named, made: string): Draft => ({ given: name || null, made });

function measureDraft(measure: NamedMeasure): Draft {
  const { count, ratio } = measure;
  if (count) return drafted(count, 'count');
  if (ratio) return drafted(ratio, `${ratio.numerator}_per_${ratio.denominator}`);
  for (const [kind, word] of Object.entries(WORDS)) {
    const of = measure[kind as keyof typeof WORDS];
    if (of) return drafted(of, `${word}_${of.field}`);
  }
  return { given: null, made: '' };
}

const dimensionDraft = (dimension: NamedDimension): Draft =>
  drafted(dimension, dimension.bucket ? `${dimension.field}_${dimension.bucket.toLowerCase()}` : dimension.field);

function draftsOf({ aggregate, records }: NamedSelect): Draft[] {
  if (!aggregate) return (records ?? []).map((field) => ({ given: null, made: field }));
  return [...(aggregate.dimensions ?? []).map(dimensionDraft), ...aggregate.measures.map(measureDraft)];
}

/**
 * Returns the column names of a query's result, dimensions before measures. A specified name is used as is. A default name is the field's, with the measure as
 * prefix or the bucket as suffix, and with `_2`, `_3` if it's already used. For `sort`, `cell(column:)` and ratios, before the query is sent.
 */
export function columnNames(select: NamedSelect): string[] {
  const drafts = draftsOf(select);
  const taken = new Set(drafts.flatMap(({ given }) => given ?? []));
  return drafts.map(({ given, made }) => {
    if (given !== null) return given;
    let name = made;
    for (let number = 2; taken.has(name); number += 1) name = `${made}_${number}`;
    taken.add(name);
    return name;
  });
}
