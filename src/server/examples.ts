import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../examples/', import.meta.url);

/** The example documents as GraphiQL tabs, in the order of their file names, each with a place for the key. */
export function exampleTabs(key: string) {
  const headers = JSON.stringify({ Authorization: `Bearer ${key}` }, null, 2);
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => ({ query: readFileSync(new URL(name, FOLDER), 'utf8'), headers }));
}
