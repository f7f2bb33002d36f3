// Prints TypeScript types and a typed query builder for the catalog of analytics: `npm run --silent analytics:types -- --url <graph> --key <key>`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Catalog, catalogIn, fetchCatalog } from './analytics/catalog.ts';
import { printCatalog } from './analytics/print.ts';

const USAGE = `Usage: analytics:types [--url <address of the graph>] [--key <API key>]
       analytics:types --file <the graph's answer to a query for its catalog>
GRAPH_URL and API_KEY stand in for --url and --key.`;

const { values } = parseArgs({
  options: { url: { type: 'string' }, key: { type: 'string' }, file: { type: 'string' }, help: { type: 'boolean' } },
});

function read(): Catalog | Promise<Catalog> {
  if (values.file) return catalogIn(readFileSync(values.file, 'utf8'), values.file);
  const { GRAPH_URL, API_KEY } = process.env;
  return fetchCatalog(values.url ?? (GRAPH_URL || 'http://127.0.0.1:4000/graphql'), values.key ?? (API_KEY || 'demo-owner'));
}

try {
  process.stdout.write(values.help ? `${USAGE}\n` : printCatalog(await read()));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
