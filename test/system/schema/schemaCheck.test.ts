import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareSchemas } from '../../../scripts/schema/compareSchemas.ts';
import { createGraph } from '../../../src/graph.ts';
import { getSubgraphOptions, readConfig } from '../../../src/server/settings/config.ts';
import { printClientSchema } from '../../../src/subgraph/print.ts';

const OLD = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@tag"])
  type Query { thing(id: ID!, by: ThingInput): Thing  things: [Thing!] }
  type Thing @key(fields: "id") @key(fields: "rawId") { id: ID! rawId: ID! name: String size: Int @tag(name: "assumed") }
  type PageInfo @shareable { hasNextPage: Boolean! }
  input ThingInput { name: String }
  enum Color { RED GREEN }`;

const listLevels = async (replaced: string, by: string) => {
  expect(OLD).toContain(replaced);
  return (await compareSchemas(parse(OLD), parse(OLD.replace(replaced, by)))).map(({ level }) => level);
};

describe('compareSchemas', () => {
  it.each([
    ['a removed key', ' @key(fields: "rawId")', ''],
    ['a key with other fields', '@key(fields: "rawId")', '@key(fields: "rawId name")'],
    ['a key that can no longer be resolved', '@key(fields: "rawId")', '@key(fields: "rawId", resolvable: false)'],
    ['a type that is no longer shareable', ' @shareable', ''],
    ['a removed field', 'things: [Thing!]', ''],
    ['a field with another type', 'size: Int', 'size: String'],
    ['a field that becomes nullable', 'rawId: ID! name', 'rawId: ID name'],
    ['a new required input field', 'input ThingInput {', 'input ThingInput { kind: String!'],
    ['an argument that becomes required', 'by: ThingInput', 'by: ThingInput!'],
    ['a removed enum value', 'RED GREEN', 'RED'],
  ])('reports %s as breaking', async (_name, replaced, by) => {
    expect(await listLevels(replaced, by)).toContain('BREAKING');
  });

  it.each([
    ['a new field', 'size: Int', 'weight: Int size: Int'],
    ['a new key', '@key(fields: "rawId")', '@key(fields: "rawId") @key(fields: "name")'],
    ['a different order of keys', '@key(fields: "id") @key(fields: "rawId")', '@key(fields: "rawId") @key(fields: "id")'],
    [
      'a different order of fields',
      'thing(id: ID!, by: ThingInput): Thing  things: [Thing!]',
      'things: [Thing!] thing(by: ThingInput, id: ID!): Thing',
    ],
    ['a changed tag', 'name: "assumed"', 'name: "known"'],
    ['a new enum value', 'RED GREEN', 'RED GREEN BLUE'],
  ])('accepts %s', async (_name, replaced, by) => {
    expect(await listLevels(replaced, by)).not.toContain('BREAKING');
  });
});

describe('deprecation', () => {
  const TODAY = new Date('2027-03-31T15:00:00Z');
  const sized = (reason?: string) =>
    OLD.replace('size: Int', reason === undefined ? 'size: Int' : `size: Int @deprecated(reason: "${reason}")`);
  const compare = async (old: string, now: string) =>
    (await compareSchemas(parse(old), parse(now), TODAY)).filter(({ level }) => level === 'BREAKING').map(({ message }) => message);

  it.each([
    ['without a day', 'Use weight.'],
    ['without a replacement', 'Removed after 2028-06-30.'],
    ['with a day that doesn’t exist', 'Use weight. Removed after 2028-02-30.'],
    ['with additional text', 'Use weight. Removed after 2028-06-30. Sorry.'],
  ])('rejects a reason %s', async (_name, reason) => {
    expect(await compare(sized(), sized(reason))).toEqual([
      `Thing.size has the deprecation reason "${reason}". Expected the form "Use x. Removed after 2027-06-30."`,
    ]);
  });

  it('rejects enum values without a reason, and arguments with another form', async () => {
    const now = OLD.replace('RED GREEN', 'RED GREEN @deprecated').replace('by: ThingInput', 'by: ThingInput @deprecated(reason: "Old.")');
    expect(await compare(OLD, now)).toEqual([
      expect.stringMatching(/^Query\.thing\(by:\) has the deprecation reason "Old\."/),
      expect.stringMatching(/^Color\.GREEN has the deprecation reason "No longer supported"/),
    ]);
  });

  it('rejects a removal in less than twelve months', async () => {
    expect(await compare(sized(), sized('Use weight. Removed after 2028-03-31.'))).toEqual([]);
    expect(await compare(sized(), sized('Use weight. Removed after 2028-03-30.'))).toEqual([
      'Thing.size has the removal date 2028-03-30. It must not be before 2028-03-31.',
    ]);
  });

  it('accepts a later removal date, and rejects an earlier one', async () => {
    const was = sized('Use weight. Removed after 2027-06-30.');
    expect(await compare(was, sized('Use mass. Removed after 2027-06-30.'))).toEqual([]);
    expect(await compare(was, sized('Use weight. Removed after 2027-09-30.'))).toEqual([]);
    expect(await compare(was, sized('Use weight. Removed after 2027-06-29.'))).toHaveLength(1);
  });

  it('accepts a removal after the last day, and rejects one on it', async () => {
    const without = OLD.replace('size: Int @tag(name: "assumed")', '');
    expect(await compare(sized('Use weight. Removed after 2027-03-30.'), without)).toEqual([]);
    expect(await compare(sized('Use weight. Removed after 2027-03-31.'), without)).toEqual([expect.stringContaining('was removed')]);
    expect(await compare(sized('Some day.'), without)).toEqual([expect.stringContaining('was removed')]);
  });

  it('accepts the removal of types that only the removed member refers to', async () => {
    const reason = '@deprecated(reason: "Use things. Removed after 2027-03-30.")';
    const withPage = (schema: string) => schema.replace('things: [Thing!]', `things: [Thing!] page: Page ${reason}`);
    const pages = 'type Page { info: PageInfo! color: Color kind: Kind } enum Kind { ODD }';
    const led = OLD.replace('name: String size', 'kind: Kind name: String size');
    expect(await compare(`${withPage(OLD)} ${pages}`, OLD)).toEqual([]);
    expect(await compare(`${withPage(led)} ${pages}`, OLD)).toEqual([
      expect.stringContaining("'Kind' was removed"),
      expect.stringContaining("'kind' was removed"),
    ]);
  });
});

describe('scripts/schema/check.ts', () => {
  const PREFIXED = { SUBGRAPH_TYPE_PREFIX: 'Ws' };
  const CURRENT = printClientSchema(createGraph().schema);
  const WITH_FIELD = CURRENT.replace('type Money {', 'type Money { euros: Int');

  async function createFolder() {
    const folder = await mkdtemp(join(tmpdir(), 'schema-check-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    return folder;
  }

  /** Runs the script in a folder. Returns its exit code and output. */
  async function check(cwd: string, file?: string, env: Readonly<Record<string, string>> = {}) {
    const script = [join(process.cwd(), 'scripts/schema/check.ts'), ...(file ? [file] : [])];
    const run = promisify(execFile)(process.execPath, script, { cwd, env: { ...process.env, ...env } });
    const { stdout, stderr, code = 0 } = (await run.catch((error) => error)) as { stdout: string; stderr: string; code?: number };
    return { code, lines: stdout.trim().split('\n'), stderr };
  }

  describe('schema file', () => {
    async function checkFile(schema: string, env: Readonly<Record<string, string>> = {}) {
      const folder = await createFolder();
      await writeFile(join(folder, 'CHANGELOG.md'), '## Unreleased\n\n- `Money.euros` was removed.\n');
      await writeFile(join(folder, 'old.graphql'), schema);
      const { code, lines } = await check(folder, 'old.graphql', env);
      return [code, lines.at(-1)];
    }

    it.each([
      ['the subgraph', createGraph().sdl, {}],
      ['the client schema', CURRENT, {}],
      ['the graph of a deployment', createGraph(getSubgraphOptions(readConfig(PREFIXED))).sdl, PREFIXED],
    ])('reports no change in %s', async (_name, schema, env) => {
      expect(await checkFile(schema, env)).toEqual([0, '0 changes since old.graphql, including 0 breaking.']);
    });

    it('fails for a removed field, even if the changelog names it', async () => {
      expect(await checkFile(WITH_FIELD)).toEqual([1, '1 changes since old.graphql, including 1 breaking.']);
    });
  });

  describe('comparison with the last release', () => {
    /** Runs the script in a checkout whose last release had a field that the graph doesn't have. */
    async function checkBaselines(changelog: string) {
      const folder = await createFolder();
      await mkdir(join(folder, 'released'));
      await writeFile(join(folder, 'released/schema.graphql'), WITH_FIELD);
      await writeFile(join(folder, 'released/subgraph.graphql'), createGraph().sdl);
      await writeFile(join(folder, 'CHANGELOG.md'), changelog);
      return check(folder);
    }

    const RELEASED = '## 1.0.0 2027-01-01\n\n- `Money.euros`\n';

    it.each([
      ['while nothing is unreleased', RELEASED],
      ['that Unreleased doesn’t name', `## Unreleased\n\n- \`Money.amount\`\n\n${RELEASED}`],
    ])('fails for a breaking change since the last release %s', async (_name, changelog) => {
      const { code, lines, stderr } = await checkBaselines(changelog);
      expect([code, lines.at(-1)]).toEqual([1, '1 changes since version 1.0.0, including 1 breaking.']);
      expect(stderr).toContain("`Money.euros`: Field 'euros' was removed");
    });

    it('accepts a breaking change that Unreleased names', async () => {
      const { code, lines } = await checkBaselines(`## Unreleased\n\n- \`Money.euros\`\n\n${RELEASED}`);
      expect([code, lines.at(-1)]).toEqual([0, '1 changes since version 1.0.0, including 1 breaking.']);
    });
  });
});
