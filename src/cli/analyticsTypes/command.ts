import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { escapeLines } from '../../lib/printableText.ts';
import { type Catalog, fetchCatalog, parseCatalog } from './catalog.ts';
import { printCatalog } from './print.ts';

const USAGE = `Usage:
  analytics-types [--url URL] [--key KEY]   Fetch the analytics catalog from a graph
  analytics-types --file FILE               Read the catalog from a saved response of the graph

Options:
  --url URL    URL of the graph. Default: GRAPH_URL, or http://127.0.0.1:4000/graphql
  --key KEY    API key. Default: API_KEY, or demo-owner
  --file FILE  JSON file with the response to a query for the catalog
  --help       Show this help`;

const OPTIONS = { url: { type: 'string' }, key: { type: 'string' }, file: { type: 'string' }, help: { type: 'boolean' } } as const;

interface Source {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly file?: string | undefined;
}

function read({ url, key, file }: Source): Catalog | Promise<Catalog> {
  if (file) return parseCatalog(readFileSync(file, 'utf8'), file);
  const { GRAPH_URL, API_KEY } = process.env;
  return fetchCatalog(url ?? (GRAPH_URL || 'http://127.0.0.1:4000/graphql'), key ?? (API_KEY || 'demo-owner'));
}

/** Prints TypeScript types and a typed query builder for the analytics catalog. Failures are reported on stderr, with exit code 1. */
export async function printAnalyticsTypes(args: readonly string[]): Promise<void> {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    process.stdout.write(values.help ? `${USAGE}\n` : printCatalog(await read(values)));
  } catch (error) {
    console.error(escapeLines(error instanceof Error ? error.message : String(error)));
    process.exitCode = 1;
  }
}
