import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, createFileRegistry, type DescMessage, fromBinary, fromJson, type JsonObject } from '@bufbuild/protobuf';
import { CodeGeneratorRequestSchema, type FileDescriptorSet, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { createValidator } from '@bufbuild/protovalidate';
import { beforeAll, describe, expect, it } from 'vitest';
import { plugin } from '../../../scripts/codegen/registry/plugin.ts';
import type { MessageFields } from '../../../src/upstream/contract/fields.ts';
import { findBrokenRules, rulesOf } from '../../../src/upstream/contract/rules.ts';

const BUF = join('scripts/codegen', 'node_modules/.bin/buf');
const FIXTURE = 'publicapi/v1/shelves.proto';

/** A request that requires at least one of two optional fields. */
const AT_LEAST_ONE = `option (buf.validate.message).cel = {
    id: "at_least_one", message: "give a name or a color", expression: "has(this.name) || has(this.color)"
  };
  optional string name = 1; optional string color = 2;`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-'));
  for (const file of ['publicapi/v1/options.proto', 'buf/validate/validate.proto']) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    copyFileSync(join(file.startsWith('buf') ? 'scripts/codegen/vendor' : 'proto', file), join(folder, file));
  }
});

/** A contract of one operation whose request has the given fields. */
const printContract = (fields: string, more = '', options = '') => `syntax = "proto3";
package publicapi.v1;
import "buf/validate/validate.proto";
import "publicapi/v1/options.proto";
service Shelves {
  option (area) = AREA_CATALOG;
  rpc PutShelf(PutShelfRequest) returns (PutShelfResponse) {
    option (operation) = {scopes: ["shelf:write"], effect: EFFECT_SETTING${options}};
  }
}
message ShelfRecord {
  option (record) = PROVENANCE_STATED;
  option (entity) = {type: "Shelf", id_names: ["upper_id"]};
  string id = 1;
}
${more}
message PutShelfRequest {
  ${fields}
}
message PutShelfResponse {
  ShelfRecord shelf = 1;
}
`;

/** Compiles a contract to a file descriptor set. */
function compile(text: string): FileDescriptorSet {
  writeFileSync(join(folder, FIXTURE), text);
  return fromBinary(FileDescriptorSetSchema, execFileSync(BUF, ['build', folder, '--as-file-descriptor-set', '-o', '-']));
}

/** The files that the plugin generates for a contract. */
function generate(text: string): Readonly<Record<string, string>> {
  const request = create(CodeGeneratorRequestSchema, {
    parameter: 'target=ts,import_extension=ts',
    fileToGenerate: [FIXTURE],
    protoFile: compile(text).file,
  });
  return Object.fromEntries(plugin.run(request).file.map(({ name, content }) => [name, content]));
}

async function generateMessages(text: string): Promise<Readonly<Record<string, MessageFields>>> {
  const file = join(mkdtempSync(join(folder, 'out-')), 'messages.ts');
  writeFileSync(file, generate(text)['messages.ts'] ?? '');
  return import(file);
}

describe('contract generator', () => {
  it('prints a recursive message', async () => {
    const inner = 'message Filter { string word = 1 [(buf.validate.field).string.max_len = 3]; repeated Filter all = 2; }';
    const { PutShelfRequest, Filter } = await generateMessages(printContract('string id = 1; Filter filter = 2;', inner));
    expect(PutShelfRequest?.fields.filter?.message).toBe(Filter);
    expect(Filter?.fields.all?.message).toBe(Filter);
    const deep = { id: 's', filter: { all: [{ all: [{ word: 'long' }] }] } };
    expect(findBrokenRules(deep, rulesOf(PutShelfRequest as MessageFields)).map(({ path }) => path.join('.'))).toEqual([
      'filter.all.0.all.0.word',
    ]);
  });

  it('prints mutually recursive messages', async () => {
    const inner =
      'message Left { Right right = 1; } message Right { Left left = 1; int64 figure = 2 [(buf.validate.field).int64.gt = 0]; }';
    const { PutShelfRequest, Left, Right } = await generateMessages(printContract('Left left = 1;', inner));
    expect([Left?.fields.right?.message, Right?.fields.left?.message]).toEqual([Right, Left]);
    const rules = rulesOf(PutShelfRequest as MessageFields);
    expect(findBrokenRules({ left: { right: { figure: '0' } } }, rules)).toMatchObject([{ path: ['left', 'right', 'figure'], limit: 1 }]);
  });

  it('derives referenced types from the ID names of a record, its type name, and field options', async () => {
    const { PutShelfRequest } = await generateMessages(
      printContract(
        'string id = 1; string shelf_id = 2; string upper_id = 3; repeated string lower = 4 [(refers) = "Shelf"]; string run_id = 5 [(refers) = ""];',
      ),
    );
    const types = Object.entries(PutShelfRequest?.fields ?? {}).map(([name, { refers }]) => [name, refers]);
    expect(types).toEqual([
      ['id', 'Shelf'],
      ['shelfId', 'Shelf'],
      ['upperId', 'Shelf'],
      ['lower', 'Shelf'],
      ['runId', undefined],
    ]);
  });

  it('marks fields as assumed unless they are documented', async () => {
    const inner = `message Board { string color = 1; string wood = 2 [(field) = PROVENANCE_STATED]; }
      message Place { option (input) = PROVENANCE_STATED; string room = 1; string wall = 2 [(field) = PROVENANCE_ASSUMED]; }`;
    const { Board, Place } = await generateMessages(printContract('Board board = 1; Place place = 2;', inner));
    const listAssumed = (message: MessageFields | undefined) => Object.values(message?.fields ?? {}).map((field) => field.assumed ?? false);
    expect([listAssumed(Board), listAssumed(Place)]).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('lists sensitive fields at any depth and marks every enclosing message', async () => {
    const inner = 'message Lock { string code = 1 [(sensitive) = true]; Lock next = 2; } message Door { repeated Lock locks = 1; }';
    const text = printContract('Door door = 1;', inner).replace('ShelfRecord shelf = 1', 'Door door = 1');
    const { PutShelfRequest, Door, Lock } = await generateMessages(text);
    expect([PutShelfRequest?.sensitive, Door?.sensitive, Lock?.fields.code?.sensitive]).toEqual([true, true, true]);
    expect(generate(text)['operations.ts']).toContain('"sensitive":["door.locks.code"]');
  });

  it('prints which rules of a field are documented', async () => {
    const rules = '[(buf.validate.field).string = {min_len: 2, max_len: 9}, (stated) = "max_len"]';
    const { PutShelfRequest } = await generateMessages(
      printContract(`string word = 1 ${rules}; int64 figure = 2 [(buf.validate.field).int64.gt = 0];`),
    );
    expect(PutShelfRequest?.fields.word).toMatchObject({ minLength: 2, maxLength: 9, stated: ['maxLength'] });
    expect(PutShelfRequest?.fields.figure).not.toHaveProperty('stated');
  });

  it.each([
    ['too many bytes', 'string text = 1 [(buf.validate.field).string.max_bytes = 10];', { text: '€€€€' }, [['text'], 'TOO_LONG', 10]],
    ['the maximum number of bytes', 'string text = 1 [(buf.validate.field).string.max_bytes = 10];', { text: '€€€x' }, undefined],
    ['none of several fields', AT_LEAST_ONE, {}, [[], 'REQUIRED', null]],
    ['one of several fields', AT_LEAST_ONE, { color: 'red' }, undefined],
    ['all of several fields', AT_LEAST_ONE, { name: 'a', color: 'red' }, undefined],
  ])('matches protovalidate for %s', async (_case, fields, request, issue) => {
    const text = printContract(fields);
    const { PutShelfRequest } = await generateMessages(text);
    const issues = findBrokenRules(request, rulesOf(PutShelfRequest as MessageFields)).map(({ path, code, limit }) => [path, code, limit]);
    const registry = createFileRegistry(compile(text));
    const schema = registry.getMessage('publicapi.v1.PutShelfRequest') as DescMessage;
    const { kind } = createValidator({ registry }).validate(schema, fromJson(schema, request as JsonObject));
    expect([issues, kind]).toEqual(issue ? [[issue], 'invalid'] : [[], 'valid']);
  });

  it('prints the paging of prefixes and windows, and expensive reads', () => {
    const listing = (page: string) =>
      printContract('int64 starts_from = 1; int64 starts_before = 2;', '', `, page: {${page}}`)
        .replace('ShelfRecord shelf = 1', 'repeated ShelfRecord shelves = 1; bool has_more = 2')
        .replace('EFFECT_SETTING', 'EFFECT_EXPENSIVE_READ');
    const printOperations = (page: string) => generate(listing(page))['operations.ts'];
    expect(printOperations('kind: PAGING_PREFIX, cut_field: "has_more"')).toMatch(/"effect":"EXPENSIVE_READ".*"cutField":"hasMore"/);
    const window = printOperations('kind: PAGING_WINDOW, from_field: "starts_from", to_field: "starts_before"');
    expect(window).toContain('"fromField":"startsFrom","toField":"startsBefore"');
    expect(() => printOperations('kind: PAGING_PREFIX, cut_field: "shelves"')).toThrow('PutShelfResponse.shelves must be a bool');
    expect(() => printOperations('kind: PAGING_WINDOW')).toThrow('PAGING_WINDOW requires from_field and to_field');
    expect(() => printOperations('kind: PAGING_PAGE, from_field: "starts_from"')).toThrow('PAGING_WINDOW requires from_field and to_field');
  });

  describe('covering list', () => {
    const list =
      'rpc ListShelves(ListShelvesRequest) returns (ListShelvesResponse) { option (operation) = {scopes: ["shelf:read"], effect: EFFECT_READ';
    const messages = (row: string) =>
      `message ListShelvesRequest { string wall = 1; } message ListShelvesResponse { repeated ${row} shelves = 1; }`;
    const printCover = (page: string, row = 'ShelfRecord', cover = 'ListShelves') =>
      printContract('', messages(row), `, cover: {list: "${cover}"}`).replace('service Shelves {', `service Shelves { ${list}${page}}; }`);
    const PAGES = ', page: {kind: PAGING_PAGE}';

    it('prints the list of a get operation and whether it is assumed', () => {
      expect(generate(printCover(PAGES))['operations.ts']).toContain('"cover":{"list":"Shelves/ListShelves","assumed":true}');
    });

    it.each([
      ['that doesn’t exist', printCover(PAGES, 'ShelfRecord', 'ListWalls'), 'ListWalls doesn’t exist'],
      ['that isn’t paginated to its end', printCover(', page: {kind: PAGING_WHOLE}'), 'has another pagination style than'],
      [
        'of other records',
        printCover(PAGES, 'OtherRecord').replace('message ListShelvesRequest', 'message OtherRecord {} message ListShelvesRequest'),
        'returns other records',
      ],
    ])('rejects a list %s', (_case, text, message) => {
      expect(() => generate(text)).toThrow(message);
    });

    it('prints the owner fields of the rows and rejects an unknown field', () => {
      const parts = (owner: string, page = PAGES) =>
        printCover(`${page}, parts: {owners: ["${owner}"], provenance: PROVENANCE_STATED}`).replace(
          'string id = 1;',
          'string id = 1; string wall = 2;',
        );
      expect(generate(parts('wall'))['operations.ts']).toContain('"parts":{"owners":["wall"]}');
      expect(() => generate(parts('wall', ''))).toThrow('ListShelves must have the pagination style PAGING_PAGE');
      expect(() => generate(parts('floor'))).toThrow('has no field floor, but an option names it');
    });
  });

  it.each([
    [
      'another rule in CEL',
      'option (buf.validate.message).cel = {id: "long", message: "m", expression: "this.name.size() > 3"}; string name = 1;',
      '',
      'PutShelfRequest: the only supported CEL rule',
    ],
    [
      'an optional oneof',
      'option (buf.validate.message).oneof = {fields: ["name", "color"]}; string name = 1; string color = 2;',
      '',
      'PutShelfRequest: a message can have at most one oneof, and it must be required',
    ],
    ['an unknown ID name', 'string wall_id = 1;', '', 'PutShelfRequest.wall_id must refer to a known record'],
    ['an unknown record type', 'string wall_id = 1 [(refers) = "Wall"];', '', 'refers to Wall, but no record declares'],
    [
      'an ambiguous ID name',
      '',
      'message WallRecord { option (record) = PROVENANCE_STATED; option (entity) = {type: "Wall", id_names: ["upper_id"]}; }',
      'The ID field upper_id must belong to one entity, but Shelf and Wall both declare it',
    ],
    ['an unsupported rule', 'string mail = 1 [(buf.validate.field).string.email = true];', '', 'The rule string.email isn’t supported'],
    ['an unsupported type', 'bytes picture = 1;', '', 'The type of PutShelfRequest.picture isn’t supported'],
    [
      'a documented rule that doesn’t exist',
      'string word = 1 [(buf.validate.field).string.max_len = 9, (stated) = "min_len"];',
      '',
      'PutShelfRequest.word declares min_len as stated, but its rules are: maxLength.',
    ],
  ])('rejects %s', (_case, fields, more, message) => {
    expect(() => generate(printContract(fields, more))).toThrow(message);
  });

  it('prints the complete record of a response and its decoder', () => {
    const text = printContract('', '', '').replace('ShelfRecord shelf = 1;', 'optional int64 count = 1; repeated ShelfRecord shelves = 2;');
    const files = generate(text);
    expect(files['records.ts']).toContain('  readonly count: string | undefined;\n  readonly shelves: readonly ShelfRecord[];\n');
    expect(files['decoders.ts']).toContain('    count: optionalInt64(json.count),\n    shelves: list(json.shelves, decodeShelfRecord),\n');
    expect(files['decoders.ts']).not.toContain('PutShelfRequest');
  });

  it.each(['repeated int64 counts = 1;', 'google.protobuf.Value value = 1;'])('rejects a response with %s', (field) => {
    const text = printContract('', '', '')
      .replace('ShelfRecord shelf = 1;', field)
      .replace('import "buf', 'import "google/protobuf/struct.proto";\nimport "buf');
    expect(() => generate(text)).toThrow(/PutShelfResponse\.(counts|value) has a type that the decoders/);
  });

  it('rejects a service without an area', () => {
    expect(() => generate(printContract('').replace('option (area) = AREA_CATALOG;', ''))).toThrow(
      'Shelves has no area. Set its option (publicapi.v1.area).',
    );
  });

  it('rejects a documented page size that isn’t set', () => {
    const text = printContract('', '', ', page: {kind: PAGING_PAGE, stated: ["least_size"]}').replace(
      'ShelfRecord shelf',
      'repeated ShelfRecord shelves',
    );
    expect(() => generate(text)).toThrow('PutShelf declares least_size of its page as stated');
  });
});
