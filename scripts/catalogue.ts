import { readFileSync } from 'node:fs';

/** An operation of the upstream's whole API, in the contract or not. */
interface CatalogueEntry {
  /** `Quote/ConfirmQuote`. */
  readonly name: string;
  /** Why the graph does not expose it; null when it must. */
  readonly excuse: string | null;
}

/** An HTTP status of the upstream's answers. */
interface Status {
  readonly status: number;
  readonly isStated: boolean;
  /** The codes of an error's body that go with it. */
  readonly codes: readonly string[];
}

/** The words of each line of a list beside the protos, without its comments. */
const linesOf = (file: string): string[][] =>
  readFileSync(new URL(`../proto/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/\s+/));

/** Every operation of the upstream: a name a line, with an excuse behind it where there is one. */
export const readCatalogue = (): CatalogueEntry[] =>
  linesOf('operations.txt').map(([name = '', ...excuse]) => ({ name, excuse: excuse.join(' ') || null }));

/** Every status of the upstream's answers: a line each, with who vouches for it and the codes that go with it. */
export const readStatuses = (): Status[] =>
  linesOf('statuses.txt').map(([status, provenance, ...codes]) => {
    if (provenance !== 'stated' && provenance !== 'assumed') throw new Error(`proto/statuses.txt must say stated or assumed of ${status}.`);
    return { status: Number(status), isStated: provenance === 'stated', codes };
  });
