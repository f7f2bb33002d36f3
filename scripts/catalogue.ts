import { readFileSync } from 'node:fs';

/** One operation of the upstream's whole API, in the contract or not. */
interface CatalogueEntry {
  /** `Quote/ConfirmQuote`. */
  readonly name: string;
  /** Why the graph does not expose it; null when it must. */
  readonly excuse: string | null;
}

const FILE = new URL('../proto/operations.txt', import.meta.url);

/** Every operation of the upstream: a name a line, with an excuse behind it where there is one. */
export const readCatalogue = (): CatalogueEntry[] =>
  readFileSync(FILE, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', ...excuse] = line.split(/\s+/);
      return { name, excuse: excuse.join(' ') || null };
    });
