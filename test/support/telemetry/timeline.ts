import { parseSeries, scrape } from './scrape.ts';

/** A process's metrics at each minute, as scraped by Prometheus. */
export interface Timeline {
  readonly minutes: number;
  readonly series: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** Scrapes a graph before each call of `act`, and after the last. */
export async function recordTimeline(
  adminUrl: () => string | null,
  minutes: number,
  act: (minute: number) => Promise<unknown>,
): Promise<Timeline> {
  const series = new Map<string, Map<number, number>>();
  for (let minute = 0; minute <= minutes; minute += 1) {
    for (const [name, value] of parseSeries(await scrape(adminUrl()))) {
      const values = series.get(name) ?? new Map<number, number>();
      series.set(name, values.set(minute, value));
    }
    if (minute < minutes) await act(minute);
  }
  return { minutes, series };
}

/** A timeline as an input series of promtool, with the labels of a scraped process. Minutes without the series are gaps. */
export const formatInputSeries = ({ minutes, series }: Timeline, instance = 'graph:9464') =>
  Array.from(series, ([name, values]) => ({
    series: withLabels(name, `job="graph",instance="${instance}"`),
    values: Array.from({ length: minutes + 1 }, (_, minute) => values.get(minute) ?? '_').join(' '),
  }));

const withLabels = (name: string, labels: string) => (name.includes('{') ? name.replace('{', `{${labels},`) : `${name}{${labels}}`);
