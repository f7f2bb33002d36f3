/** Response times of the calls to one service, in whole milliseconds. Percentiles are values that occurred (nearest rank). */
export interface ServiceLatency {
  readonly service: string;
  readonly calls: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

const percentile = (sorted: readonly number[], share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

/** Response times of a run by service. Calls without a response aren't counted: they'd measure the timeout. */
export class Latencies {
  readonly #byService = new Map<string, number[]>();

  add(service: string, ms: number): void {
    const times = this.#byService.get(service);
    if (times) times.push(ms);
    else this.#byService.set(service, [ms]);
  }

  /** The slowest services first. */
  get all(): readonly ServiceLatency[] {
    return [...this.#byService]
      .map(([service, times]) => {
        const sorted = times.toSorted((one, other) => one - other);
        return {
          service,
          calls: sorted.length,
          p50Ms: Math.round(percentile(sorted, 0.5)),
          p95Ms: Math.round(percentile(sorted, 0.95)),
        };
      })
      .sort((one, other) => other.p95Ms - one.p95Ms || one.service.localeCompare(other.service));
  }
}
