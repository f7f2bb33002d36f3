import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareSchemas } from '../../../scripts/compareSchemas.ts';
import { createGraph } from '../../../src/graph.ts';
import { readConfig, subgraphOf } from '../../../src/server/config.ts';
import { printClientSchema } from '../../../src/subgraph/print.ts';

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
    ['another order', 'thing(id: ID!, by: ThingInput): Thing  things: [Thing!]', 'things: [Thing!] thing(by: ThingInput, id: ID!): Thing'],
    ['another tag', 'name: "assumed"', 'name: "known"'],
    ['a new value', 'RED GREEN', 'RED GREEN BLUE'],
  ])('breaks nobody when it is %s', async (_name, replaced, by) => {
    expect(await levelsOf(replaced, by)).not.toContain('BREAKING');
  });
});

describe('a deprecation', () => {
  const TODAY = new Date('2027-03-31T15:00:00Z');
  const sized = (reason?: string) =>
    OLD.replace('size: Int', reason === undefined ? 'size: Int' : `size: Int @deprecated(reason: "${reason}")`);
  const compared = async (old: string, now: string) =>
    (await compareSchemas(parse(old), parse(now), TODAY)).filter(({ level }) => level === 'BREAKING').map(({ message }) => message);

  it.each([
    ['without a day', 'Use weight.'],
    ['without a replacement', 'Removed after 2028-06-30.'],
    ['with a day that no calendar has', 'Use weight. Removed after 2028-02-30.'],
    ['with more behind it', 'Use weight. Removed after 2028-06-30. Sorry.'],
  ])('breaks its form %s', async (_name, reason) => {
    expect(await compared(sized(), sized(reason))).toEqual([
      `Thing.size has the deprecation reason "${reason}". Expected the form "Use x. Removed after 2027-06-30."`,
    ]);
  });

  it('breaks its form without a reason, on values and arguments too', async () => {
    const now = OLD.replace('RED GREEN', 'RED GREEN @deprecated').replace('by: ThingInput', 'by: ThingInput @deprecated(reason: "Old.")');
    expect(await compared(OLD, now)).toEqual([
      expect.stringMatching(/^Query\.thing\(by:\) has the deprecation reason "Old\."/),
      expect.stringMatching(/^Colour\.GREEN has the deprecation reason "No longer supported"/),
    ]);
  });

  it('gives clients twelve months', async () => {
    expect(await compared(sized(), sized('Use weight. Removed after 2028-03-31.'))).toEqual([]);
    expect(await compared(sized(), sized('Use weight. Removed after 2028-03-30.'))).toEqual([
      'Thing.size has the removal date 2028-03-30. It must not be before 2028-03-31.',
    ]);
  });

  it('keeps to its day, or puts it off', async () => {
    const was = sized('Use weight. Removed after 2027-06-30.');
    expect(await compared(was, sized('Use mass. Removed after 2027-06-30.'))).toEqual([]);
    expect(await compared(was, sized('Use weight. Removed after 2027-09-30.'))).toEqual([]);
    expect(await compared(was, sized('Use weight. Removed after 2027-06-29.'))).toHaveLength(1);
  });

  it('lets a member go after its day, and not on it', async () => {
    const without = OLD.replace('size: Int @tag(name: "assumed")', '');
    expect(await compared(sized('Use weight. Removed after 2027-03-30.'), without)).toEqual([]);
    expect(await compared(sized('Use weight. Removed after 2027-03-31.'), without)).toEqual([expect.stringContaining('was removed')]);
    expect(await compared(sized('Some day.'), without)).toEqual([expect.stringContaining('was removed')]);
  });

  it('lets go with it the types that nothing else leads to, and no others', async () => {
    const reason = '@deprecated(reason: "Use things. Removed after 2027-03-30.")';
    const withPage = (schema: string) => schema.replace('things: [Thing!]', `things: [Thing!] page: Page ${reason}`);
    const pages = 'type Page { info: PageInfo! colour: Colour kind: Kind } enum Kind { ODD }';
    const led = OLD.replace('name: String size', 'kind: Kind name: String size');
    expect(await compared(`${withPage(OLD)} ${pages}`, OLD)).toEqual([]);
    expect(await compared(`${withPage(led)} ${pages}`, OLD)).toEqual([
      expect.stringContaining("'Kind' was removed"),
      expect.stringContaining("'kind' was removed"),
    ]);
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
    ['the graph of a deployment', createGraph(subgraphOf(readConfig(PREFIXED))).sdl, PREFIXED],
  ])('finds no change in %s', async (_name, schema, env) => {
    expect(await check(schema, env)).toEqual([0, '0 changes since old.graphql, including 0 breaking.']);
  });

  it('fails when a field is gone', async () => {
    const older = printClientSchema(createGraph().schema).replace('type Money {', 'type Money { euros: Int');
    expect(await check(older)).toEqual([1, '1 changes since old.graphql, including 1 breaking.']);
  });
});
