/** Parses the series of a metrics page, with their values. */
export function parseSeries(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

export const scrape = async (adminUrl: string | null): Promise<string> => (await fetch(`${adminUrl}/metrics`)).text();

const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Values of a counter by some of its labels, summed over all others. Omits zeros. */
export function sumByLabels(series: ReadonlyMap<string, number>, metric: string, labels: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name, value] of series) {
    if (name !== metric && !name.startsWith(`${metric}{`)) continue;
    const values = Object.fromEntries(Array.from(name.matchAll(LABEL), ([, label, text]) => [label, text]));
    const key = labels.map((label) => values[label]).join(' ');
    if (value !== 0) counts[key] = (counts[key] ?? 0) + value;
  }
  return counts;
}

/** Counts by name. */
export class Tally {
  readonly #counts: Record<string, number> = {};

  add(name: string, by = 1): void {
    if (by !== 0) this.#counts[name] = (this.#counts[name] ?? 0) + by;
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }
}
