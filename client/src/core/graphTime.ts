/** Differences that are ignored, in milliseconds, because the header `Date` has whole seconds and is some time on its way. */
const TOLERANCE_MS = 60_000;

let offsetMs = 0;

/** Corrects the clock of this device by the header `Date` of a response. The graph rejects keys whose time is wrong, so this only has to be right within minutes. */
export function learnGraphTime(headers: Headers | undefined): void {
  const difference = Date.parse(headers?.get('date') ?? '') - Date.now();
  if (!Number.isNaN(difference)) offsetMs = Math.abs(difference) < TOLERANCE_MS ? 0 : difference;
}

/** The time of the graph in Unix milliseconds, as far as it’s known. */
export const getGraphTime = (): number => Date.now() + offsetMs;
