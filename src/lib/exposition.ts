// Metrics in the Prometheus exposition format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/ Implemented here, because the format is
// small.

/** Maximum number of series of a metric. Further label values are counted in one series. Chosen: more than the contract's operations with their outcomes. */
const MAX_SERIES = 2_000;
/** Value of every label of the series for further label values. */
const OTHER = 'other';

/** Escapes backslashes, quotation marks, and line feeds, as the format requires. */
const escapeLabel = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const formatLabels = (names: readonly string[], values: readonly string[]): string =>
  names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`).join(',');

const wrapInBraces = (labels: string) => (labels === '' ? '' : `{${labels}}`);

/** Series by the values of up to three labels. Nested maps, so that a lookup allocates no string. */
class SeriesMap<Series> {
  readonly #byFirst = new Map<string, Map<string, Map<string, Series>>>();
  readonly #create: () => Series;
  #size = 0;

  constructor(make: () => Series) {
    this.#create = make;
  }

  get(first: string, second: string, third: string): Series {
    return this.#byFirst.get(first)?.get(second)?.get(third) ?? this.#add(first, second, third);
  }

  #add(first: string, second: string, third: string): Series {
    if (this.#size >= MAX_SERIES && first !== OTHER) return this.get(OTHER, OTHER, OTHER);
    const bySecond = this.#byFirst.get(first) ?? new Map<string, Map<string, Series>>();
    this.#byFirst.set(first, bySecond);
    const byThird = bySecond.get(second) ?? new Map<string, Series>();
    bySecond.set(second, byThird);
    const series = this.#create();
    byThird.set(third, series);
    this.#size += 1;
    return series;
  }

  *entries(): Iterable<readonly [readonly string[], Series]> {
    for (const [first, bySecond] of this.#byFirst)
      for (const [second, byThird] of bySecond) for (const [third, series] of byThird) yield [[first, second, third], series];
  }
}

/** A metric that can be printed. */
export interface Metric {
  /** Its lines, each with a line feed. */
  format(): string;
}

/** Definition of a metric. */
export interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  /** Names of its labels, up to three. Label values are passed in the same order. */
  readonly labels?: readonly string[];
}

const formatHeader = ({ name, help }: MetricDefinition, type: 'counter' | 'gauge' | 'histogram') =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

/** Counter that starts at 0, by label values. */
export class Counter implements Metric {
  readonly #definition: MetricDefinition;
  readonly #series = new SeriesMap(() => ({ value: 0 }));

  /** `known`: label values of series that are created with 0, because a rate misses the event that creates a series. */
  constructor(of: MetricDefinition, known: readonly (readonly string[])[] = of.labels ? [] : [[]]) {
    this.#definition = of;
    for (const [first = '', second = '', third = ''] of known) this.#series.get(first, second, third);
  }

  add(by: number, first = '', second = '', third = ''): void {
    this.#series.get(first, second, third).value += by;
  }

  format(): string {
    const { name, labels = [] } = this.#definition;
    let text = formatHeader(this.#definition, 'counter');
    for (const [values, { value }] of this.#series.entries()) text += `${name}${wrapInBraces(formatLabels(labels, values))} ${value}\n`;
    return text;
  }
}

/** A value of an observed metric, with its label values. */
export interface Sample {
  readonly labels?: readonly string[];
  readonly value: number;
}

/** Metric that is read from existing counts when it's scraped, so that nothing is counted twice. */
export class ObservedMetric implements Metric {
  readonly #definition: MetricDefinition;
  readonly #type: 'counter' | 'gauge';
  readonly #read: () => Iterable<Sample>;

  constructor(type: 'counter' | 'gauge', of: MetricDefinition, read: () => Iterable<Sample>) {
    this.#definition = of;
    this.#type = type;
    this.#read = read;
  }

  format(): string {
    let text = formatHeader(this.#definition, this.#type);
    for (const { labels = [], value } of this.#read())
      text += `${this.#definition.name}${wrapInBraces(formatLabels(this.#definition.labels ?? [], labels))} ${value}\n`;
    return text;
  }
}

/**
 * Upper bounds of the duration buckets, in seconds. Chosen: the bounds that OpenTelemetry recommends for HTTP, and two more for responses from memory and for
 * timeouts.
 */
export const DURATION_BUCKETS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Histogram of durations in fixed buckets. Observations only add to existing numbers. */
export class Histogram implements Metric {
  readonly #definition: MetricDefinition;
  readonly #series: SeriesMap<Float64Array>;

  constructor(of: MetricDefinition) {
    this.#definition = of;
    // The count of each bucket (not cumulative), the count above the last bound, and the sum.
    this.#series = new SeriesMap(() => new Float64Array(DURATION_BUCKETS.length + 2));
    // Starts at 0 like a counter: a scrape before the first observation returns the same series as later ones.
    if (!of.labels) this.#series.get('', '', '');
  }

  observe(seconds: number, first = '', second = '', third = ''): void {
    const counts = this.#series.get(first, second, third);
    let bucket = 0;
    while (bucket < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[bucket] as number)) bucket += 1;
    counts[bucket] = (counts[bucket] as number) + 1;
    counts[DURATION_BUCKETS.length + 1] = (counts[DURATION_BUCKETS.length + 1] as number) + seconds;
  }

  format(): string {
    const { name, labels = [] } = this.#definition;
    let text = formatHeader(this.#definition, 'histogram');
    for (const [values, counts] of this.#series.entries()) {
      const own = formatLabels(labels, values);
      const before = own === '' ? '' : `${own},`;
      let count = 0;
      [...DURATION_BUCKETS, '+Inf'].forEach((bound, bucket) => {
        count += counts[bucket] as number;
        text += `${name}_bucket{${before}le="${bound}"} ${count}\n`;
      });
      text += `${name}_sum${wrapInBraces(own)} ${counts[DURATION_BUCKETS.length + 1]}\n${name}_count${wrapInBraces(own)} ${count}\n`;
    }
    return text;
  }
}
