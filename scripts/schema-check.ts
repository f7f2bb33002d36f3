// Compares the graph with an older schema of it, as clients see it or as supergraphs are composed from it; fails on what would break them.
import { readFileSync } from 'node:fs';
import { type Change, CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildASTSchema, type DocumentNode, Kind, parse } from 'graphql';
import { createGraph } from '../src/graph.ts';
import { DEFAULT_SUBGRAPH } from '../src/subgraph/options.ts';
import { printClientSchema } from '../src/subgraph/print.ts';

const isSubgraph = (document: DocumentNode) => document.definitions.some(({ kind }) => kind === Kind.SCHEMA_EXTENSION);

const hasNode = (document: DocumentNode) =>
  buildASTSchema(document, { assumeValidSDL: true }).getQueryType()?.getFields().node !== undefined;

/** The graph as it is now, in the form of the older schema. */
function currentLike(old: DocumentNode): string {
  const { schema, sdl } = createGraph({ ...DEFAULT_SUBGRAPH, hasNode: hasNode(old) });
  return isSubgraph(old) ? sdl : printClientSchema(schema);
}

/** Other subgraphs refer to an entity by its keys, and may only share what is shareable; the inspector does not know. */
const breaksSupergraph = ({ type, path = '' }: Change) =>
  type.startsWith('DIRECTIVE_USAGE') && type.endsWith('REMOVED') && /\.@(key|shareable)$/.test(path);

const isBreaking = (change: Change) => change.criticality.level === CriticalityLevel.Breaking || breaksSupergraph(change);

const [file] = process.argv.slice(2);
if (!file) throw new Error('Name the older schema: npm run schema:check -- old.graphql');
const old = parse(readFileSync(file, 'utf8'));
const toSchema = (document: DocumentNode) => buildASTSchema(document, { assumeValidSDL: true });
const changes = await diff(toSchema(old), toSchema(parse(currentLike(old))));
const breaking = changes.filter(isBreaking);

for (const change of changes) {
  const level = isBreaking(change) ? CriticalityLevel.Breaking : change.criticality.level;
  console.log(`${level.padEnd(12)} ${change.message}`);
}
console.log(`${changes.length} changes since ${file}, ${breaking.length} of them breaking.`);
process.exitCode = breaking.length === 0 ? 0 : 1;
