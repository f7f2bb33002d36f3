// Compares the graph, as the environment configures it, with an older schema of it: as clients see it, or as supergraphs are composed from
// it. Fails on what would break them.
import { readFileSync } from 'node:fs';
import { CriticalityLevel } from '@graphql-inspector/core';
import { type DocumentNode, parse } from 'graphql';
import { createGraph } from '../src/graph.ts';
import { readConfig, subgraphOf } from '../src/server/config.ts';
import { printClientSchema } from '../src/subgraph/print.ts';
import { compareSchemas, isSubgraph, toSchema } from './compareSchemas.ts';

/** The graph as it is now, in the form of the older schema. */
function currentLike(old: DocumentNode): string {
  const hasNode = toSchema(old).getQueryType()?.getFields().node !== undefined;
  const { schema, sdl } = createGraph({ ...subgraphOf(readConfig(process.env)), hasNode });
  return isSubgraph(old) ? sdl : printClientSchema(schema);
}

const [file] = process.argv.slice(2);
if (!file) throw new Error('Missing argument. Specify the schema to compare with: npm run schema:check -- old.graphql');
const old = parse(readFileSync(file, 'utf8'));
const changes = await compareSchemas(old, parse(currentLike(old)));
const breaking = changes.filter(({ level }) => level === CriticalityLevel.Breaking);

for (const { level, message } of changes) console.log(`${level.padEnd(12)} ${message}`);
console.log(`${changes.length} changes since ${file}, including ${breaking.length} breaking.`);
process.exitCode = breaking.length === 0 ? 0 : 1;
