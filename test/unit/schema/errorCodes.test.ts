import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertEnumType, assertInterfaceType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { BLOCKER_CODES, ERROR_CODES, ISSUE_CODES } from '../../../src/failures/errorCodes.ts';
import { getGraph } from '../../support/getGraph.ts';

const { schema } = getGraph();

const filesUnder = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('generated') && !name.includes('errorCodes'))
    .map((name) => join(folder, name));

/** How codes appear in source files: as the value of `code`, or as an argument of an error factory. */
const CODE =
  /(?:\bcode'?\]?\s*(?::|\|\|=)\s*|\b(?:super|create(?:Request|Document|Apollo)Error|sendError)\((?:response, )?(?:\d+,)?\s*)'([A-Z][A-Z_]+)'/g;

const findCodes = (files: readonly string[]) =>
  new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(CODE)].map(([, code]) => code ?? '')));

const ours = findCodes(filesUnder('src', '.ts'));
const yogas = findCodes(filesUnder('node_modules/graphql-yoga/esm', '.js'));
const defaults = [...readFileSync('src/server/execution/masking.ts', 'utf8').matchAll(/\? '([A-Z_]+)' : '([A-Z_]+)'/g)].flatMap(
  ([, ...codes]) => codes,
);

const known = Object.keys(ERROR_CODES);

/** Codes of agent tools, which docs/agents.md lists. */
const [, toolCodes = ''] = /\(clients\/errors\.md#codes\), plus (.*)\.$/m.exec(readFileSync('docs/agents.md', 'utf8')) ?? [];

/** Other tables with values of `code`. */
const OTHERS = new Set([...Object.keys(ISSUE_CODES), ...Object.keys(BLOCKER_CODES), ...(toolCodes.match(/[A-Z_]+/g) ?? [])]);

// The responses of all tests are also compared with the table; see `postGraph`.
describe('error codes', () => {
  it('include all that the source code and Yoga can return', () => {
    expect([ours.size > 20, yogas.size > 3]).toEqual([true, true]);
    expect([...ours, ...yogas, ...defaults].filter((code) => !known.includes(code) && !OTHERS.has(code))).toEqual([]);
  });

  it('can all be returned', () => {
    const given = new Set([...ours, ...yogas, ...defaults]);
    expect(known.filter((code) => !given.has(code))).toEqual([]);
  });

  it('have an explanation in the docs, with their source, in the same order', () => {
    const rows = readFileSync('docs/clients/errors.md', 'utf8').matchAll(
      /^\| `([A-Z_]+)` \| ([2-5]\d\d[^|]*) \| (errors, union|errors|union) \| [^|]+ \|$/gm,
    );
    const documented = [...rows].map(([, code = '', , where = '']) => ({ code, inUnion: where.includes('union') }));
    expect(documented.map(({ code }) => code)).toEqual(known);
    const classes = [
      ...readFileSync('src/failures/failures.ts', 'utf8').matchAll(/class (\w+) extends ApiError[\s\S]*?super\(\s*'([A-Z_]+)'/g),
    ];
    const members = schema.getPossibleTypes(assertInterfaceType(schema.getType('MutationError'))).map(({ name }) => name);
    const inUnions = classes.filter(([, name = '']) => members.includes(name)).map(([, , code]) => code);
    expect(inUnions).toHaveLength(members.length);
    expect(documented.filter(({ inUnion }) => inUnion).map(({ code }) => code)).toEqual(
      known.filter((code) => inUnions.includes(code as never)),
    );
  });

  it('form an enum with descriptions, which `code` of every failure also uses', () => {
    const type = assertEnumType(schema.getType('ErrorCode'));
    const descriptions = type.getValues().map(({ name, description }) => [name, description]);
    expect(Object.fromEntries(descriptions)).toEqual(ERROR_CODES);
    const failure = assertInterfaceType(schema.getType('MutationError'));
    expect(String(failure.getFields().code?.type)).toBe('ErrorCode!');
  });
});
