import { describe, expect, it } from 'vitest';
import { type TestGraphOptions, useTestGraph } from '../../support/testGraph.ts';
import { createCountQuery, executeQuery } from '../analytics/queries.ts';

/** Documents for which graphql-js suggests at least one name. */
const SUGGESTIVE: readonly (readonly [query: string, variables?: object])[] = [
  ['{ customerss { id } }'],
  ['{ contacts { nodes { lastNam } } }'],
  ['{ contacts(firs: 1) { __typename } }'],
  ['{ contacts }'],
  ['{ node(id: "x") { lastName } }'],
  ['{ node(id: "x") { ... on Custome { id } } }'],
  ['query ($x: Custome) { __typename }'],
  ['fragment F on Custome { id } { ...F }'],
  ['{ __typename @include(iff: true) }'],
  ['{ __typename ... @defer(labe: "x") { a: __typename } }'],
  ['{ customer(id: "x") { quotes(filter: { statuses: [CONFIRME] }) { __typename } } }'],
  ['{ customer(id: "x") { quotes(filter: { statuses: ["CONFIRMED"] }) { __typename } } }'],
  ['{ customer(id: "x") { quotes(filter: { statu: CONFIRMED }) { __typename } } }'],
  ['query ($s: [QuoteStatus!] = CONFIRME) { customer(id: "x") { quotes(filter: { statuses: $s }) { __typename } } }'],
  ['query ($s: [QuoteStatus!]) { customer(id: "x") { quotes(filter: { statuses: $s }) { __typename } } }', { s: 'CONFIRME' }],
  ['query ($f: QuoteFilterInput) { customer(id: "x") { quotes(filter: $f) { __typename } } }', { f: { statuses: 'CONFIRME', statu: 'x' } }],
  ['query ($by: CustomerByInput!) { customersByIdentifier(by: $by) { id } }', { by: { emai: 'x' } }],
  ['query ($by: CustomerByInput!) { customersByIdentifier(by: $by) { id ... @defer { title } } }', { by: { emai: 'x' } }],
  ['mutation ($i: ContactCreateInput!) { contactCreate(input: $i) { __typename } }', { i: { lastName: 'x', lastNam: 'x' } }],
  ['mutation { contactCreat(input: { lastName: "x" }) { __typename } }'],
];

const SUGGESTION = /did you mean/i;
/** Messages end before the suggestion. */
const PROBLEM = /^(?!.*did you mean).*[.)"]$/is;

const CLOSED: Readonly<Record<string, NonNullable<TestGraphOptions['env']>>> = {
  'with INTROSPECTION=sdl': { INTROSPECTION: 'sdl' },
  'in production without the fast path': { NODE_ENV: 'production', FAST_PATH: 'false' },
};

const TOOLS = { MCP: 'true', MCP_WRITES: 'direct' };

describe('name suggestions', () => {
  const open = useTestGraph({}, undefined, { env: TOOLS });

  it('appear in messages if introspection is enabled', async () => {
    for (const [query, variables] of SUGGESTIVE) {
      const { errors } = await open.execute(query, variables);
      expect(errors?.map(({ message }) => message).join(), query).toMatch(SUGGESTION);
    }
  });

  describe.each(Object.entries(CLOSED))('%s', (_name, env) => {
    const closed = useTestGraph({}, undefined, { env: { ...env, ...TOOLS } });

    it('disappear from messages, which still describe the problem', async () => {
      for (const [query, variables] of SUGGESTIVE) {
        const { errors = [] } = await closed.execute(query, variables);
        expect(errors.length, query).toBeGreaterThan(0);
        for (const { message } of errors) expect(message, query).toMatch(PROBLEM);
      }
    });

    it('disappear from responses to GET requests', async () => {
      for (const [query, variables = {}] of SUGGESTIVE) {
        const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
        const headers = { authorization: 'Bearer demo-owner', accept: 'application/json, multipart/mixed' };
        const text = await (await fetch(`${closed.url}/graphql?${search}`, { headers })).text();
        expect(text, query).toContain('"errors"');
        expect(text, query).not.toMatch(SUGGESTION);
      }
    });

    it('disappear from truncated messages', async () => {
      const query = 'query ($f: QuoteFilterInput) { customer(id: "x") { quotes(filter: $f) { __typename } } }';
      for (let length = 1_800; length < 1_960; length += 4) {
        const { errors } = await closed.execute(query, { f: { statuses: 'CONFIRME', statu: 'x'.repeat(length) } });
        expect(JSON.stringify(errors)).not.toMatch(/ did/i);
      }
    });

    it('remain if they are part of the request', async () => {
      const query = 'query ($s: [QuoteStatus!]) { customer(id: "x") { quotes(filter: { statuses: $s }) { __typename } } }';
      const { errors } = await closed.execute(query, { s: 'No. Did you mean CONFIRME?' });
      expect(errors?.[0]?.message).toContain('Value "No. Did you mean CONFIRME?" does not exist in "QuoteStatus" enum.');
    });

    it('remain for the analytics catalog, because the key can read it', async () => {
      const compare = { field: 'statuz', operator: 'EQ', values: [{ text: 'x' }] };
      const rejected = await executeQuery(closed, createCountQuery('ORDERS', { filter: { compare } }));
      expect(rejected.result.issues[0].message).toContain('Did you mean status?');
      const { errors } = await executeQuery(closed, createCountQuery('ORDERS'), 'rows { cell(column: "cuont") { integer } }');
      expect(errors?.[0]?.message).toContain('Did you mean count?');
    });
  });
});
