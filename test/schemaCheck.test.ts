import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareSchemas } from '../scripts/compareSchemas.ts';
import { createGraph } from '../src/graph.ts';
import { readConfig } from '../src/server/config.ts';
import { printClientSchema } from '../src/subgraph/print.ts';

const OLD = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@tag"])
  type Query { thing(id: ID!, by: ThingInput): Thing  things: [Thing!] }
  type Thing @key(fields: "id") @key(fields: "rawId") { id: ID! rawId: ID! name: String size: Int @tag(name: "assumed") }
  type PageInfo @shareable { hasNextPage: Boolean! }
  input ThingInput { name: String }
  enum Colour { RED GREEN }`;

const levelsOf = async (replaced: string, by: string) => {
  expect(OLD).toContain(replaced);
  return (await compareSchemas(parse(OLD), parse(OLD.replace(replaced, by)))).map(({ level }) => level);
};

describe('a change of the schema', () => {
  it.each([
    ['a key that is gone', ' @key(fields: "rawId")', ''],
    ['a key of other fields', '@key(fields: "rawId")', '@key(fields: "rawId name")'],
    ['a key that cannot be resolved any more', '@key(fields: "rawId")', '@key(fields: "rawId", resolvable: false)'],
    ['a type that is shared no more', ' @shareable', ''],
    ['a field that is gone', 'things: [Thing!]', ''],
    ['a field of another type', 'size: Int', 'size: String'],
    ['a field that may be null now', 'rawId: ID! name', 'rawId: ID name'],
    ['an input field that must be given', 'input ThingInput {', 'input ThingInput { kind: String!'],
    ['an argument that must be given', 'by: ThingInput', 'by: ThingInput!'],
    ['a value that is gone', 'RED GREEN', 'RED'],
  ])('breaks somebody when it is %s', async (_name, replaced, by) => {
    expect(await levelsOf(replaced, by)).toContain('BREAKING');
  });

  it.each([
    ['a new field', 'size: Int', 'weight: Int size: Int'],
    ['a new key', '@key(fields: "rawId")', '@key(fields: "rawId") @key(fields: "name")'],
    ['keys in another order', '@key(fields: "id") @key(fields: "rawId")', '@key(fields: "rawId") @key(fields: "id")'],
    ['another tag', 'name: "assumed"', 'name: "known"'],
    ['a new value', 'RED GREEN', 'RED GREEN BLUE'],
  ])('breaks nobody when it is %s', async (_name, replaced, by) => {
    expect(await levelsOf(replaced, by)).not.toContain('BREAKING');
  });
});

describe('npm run schema:check', () => {
  const PREFIXED = { SUBGRAPH_TYPE_PREFIX: 'Ws' };

  /** Runs the script on a schema, and answers its exit code with its last line. */
  async function check(schema: string, env: Readonly<Record<string, string>> = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'schema-check-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'old.graphql');
    await writeFile(file, schema);
    const run = promisify(execFile)(process.execPath, ['scripts/schema-check.ts', file], { env: { ...process.env, ...env } });
    const { stdout, code = 0 } = (await run.catch((error: { readonly stdout: string; readonly code: number }) => error)) as {
      stdout: string;
      code?: number;
    };
    return [code, stdout.trim().split('\n').at(-1)?.replace(file, 'old.graphql')];
  }

  it.each([
    ['what composers see', createGraph().sdl, {}],
    ['what clients see', printClientSchema(createGraph().schema), {}],
    ['the graph of a deployment', createGraph(readConfig(PREFIXED).subgraph).sdl, PREFIXED],
  ])('finds no change in %s', async (_name, schema, env) => {
    expect(await check(schema, env)).toEqual([0, '0 changes since old.graphql, 0 of them breaking.']);
  });

  it('fails when a field is gone', async () => {
    const older = printClientSchema(createGraph().schema).replace('type Money {', 'type Money { euros: Int');
    expect(await check(older)).toEqual([1, '1 changes since old.graphql, 1 of them breaking.']);
  });
});
