// Compares the graph, as configured by the environment, with older versions of its client schema and subgraph schema: those in the file that is passed as an
// argument, or those of the last release. Fails on breaking changes.
import '../help.ts';
import { readFileSync } from 'node:fs';
import { CriticalityLevel } from '@graphql-inspector/core';
import { type DocumentNode, parse } from 'graphql';
import { createGraph } from '../../src/graph.ts';
import { getSubgraphOptions, readConfig } from '../../src/server/settings/config.ts';
import { printClientSchema } from '../../src/subgraph/print.ts';
import { parseSections } from '../release/changelog.ts';
import { compareSchemas, isSubgraph, type SchemaChange, toSchema } from './compareSchemas.ts';

/** The schemas of the last release, which `node scripts/release/baseline.ts` writes. */
const BASELINES = ['released/schema.graphql', 'released/subgraph.graphql'];

/** The current graph, in the form of the older schema. */
function printCurrentSchema(old: DocumentNode): string {
  const hasNode = toSchema(old).getQueryType()?.getFields().node !== undefined;
  const { schema, sdl } = createGraph({ ...getSubgraphOptions(readConfig(process.env)), hasNode });
  return isSubgraph(old) ? sdl : printClientSchema(schema);
}

/** Prints the changes since older schemas, and returns the breaking ones. */
async function printChanges(name: string, schemas: readonly string[]): Promise<readonly SchemaChange[]> {
  const changes = new Map<string, SchemaChange>();
  for (const old of schemas.map((schema) => parse(schema))) {
    for (const change of await compareSchemas(old, parse(printCurrentSchema(old)))) changes.set(change.message, change);
  }
  const breaking = [...changes.values()].filter(({ level }) => level === CriticalityLevel.Breaking);
  for (const { level, message } of changes.values()) console.log(`${level.padEnd(12)} ${message}`);
  console.log(`${changes.size} changes since ${name}, including ${breaking.length} breaking.`);
  return breaking;
}

/** Fails on breaking changes since the last release that the changelog doesn't name. */
async function checkRelease(): Promise<void> {
  const sections = parseSections(readFileSync('CHANGELOG.md', 'utf8'));
  const version = sections.find(({ title }) => title !== 'Unreleased')?.title;
  // The section of a release describes changes before its baseline.
  const [next] = sections.filter(({ title }) => title === 'Unreleased');
  const breaking = await printChanges(
    `version ${version}`,
    BASELINES.map((file) => readFileSync(file, 'utf8')),
  );
  const unnamed = breaking.filter(({ path }) => path === undefined || !next?.text.includes(`\`${path}\``));
  if (unnamed.length === 0) return;
  console.error(`${unnamed.length} of them aren't in the section Unreleased of CHANGELOG.md:`);
  for (const { path, message } of unnamed) console.error(path ? `\`${path}\`: ${message}` : message);
  console.error('Revert them. If docs/versioning.md allows one, list its coordinate in that section.');
  process.exitCode = 1;
}

const [file] = process.argv.slice(2);
if (file) {
  const breaking = await printChanges(file, [readFileSync(file, 'utf8')]);
  if (breaking.length > 0) process.exitCode = 1;
} else await checkRelease();
