import { hash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { sendRaw } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const ID = demoId('customer 0');
const CITY = 'companyProfile { city }';
const COMPANY = { companyProfile: { city: 'Amsterdam' } };
const PROFILE = 'Workspace/GetCompanyProfile';

const ids = Array.from({ length: 90 }, (_, index) => JSON.stringify(toGlobalId('Customer', demoId(`customer ${index}`)))).join(', ');
const MANY = `query ($n: ID = "x") { nodes(ids: [${ids}, $n]) { ... on Customer { title orders(first: 5) { nodes { id } } } } }`;

const documents = mkdtempSync(join(tmpdir(), 'tools-'));
writeFileSync(
  join(documents, 'many.graphql'),
  `# Looks up many customers.\nquery many($n: ID = "x") { nodes(ids: [${ids}, $n]) { id ... on Customer { orders(first: 5) { nodes { id } } } } }\n`,
);

const unexpected: string[] = [];
const logger = createLogger('debug', { write: (line) => void (line.includes('unexpected error') && unexpected.push(line)) });
beforeEach(() => unexpected.splice(0));

describe.each([
  ['on the fast path, compiled', { FAST_PATH: 'true', COMPILE_AFTER: '1' }],
  ['on the fast path, interpreted', { FAST_PATH: 'true', COMPILE_AFTER: '0' }],
  ['through Yoga, compiled', { FAST_PATH: 'false', COMPILE_AFTER: '1' }],
  ['through Yoga, interpreted', { FAST_PATH: 'false', COMPILE_AFTER: '0' }],
])('null for a variable with a default, %s', (_way, settings) => {
  const testGraph = useTestGraph({}, undefined, {
    logger,
    env: { ...settings, APQ: 'true', MCP: 'true', MCP_DOCUMENTS: documents, COST_LIMIT: '100' },
  });

  it.each([
    ['an argument', `query ($v: ID = "${ID}") { customer(id: $v) { title } ${CITY} }`, 'customer', [PROFILE]],
    [
      'a list',
      `query ($v: ID = "x") { nodes(ids: ["${toGlobalId('Customer', ID)}", $v]) { ... on Customer { title } } ${CITY} }`,
      'nodes',
      [],
    ],
    [
      'an input object',
      `query ($v: DateTime = "2026-03-20T00:00:00Z") { appointments(first: 1, scheduledBetween: { gte: "2026-02-20T00:00:00Z", lt: $v }) { nodes { startsAt } } ${CITY} }`,
      'appointments',
      [PROFILE],
    ],
    [
      'an input object that requires exactly one field',
      `query ($v: String = "a@example.com") { customersByIdentifier(by: { email: $v }) { title } ${CITY} }`,
      'customersByIdentifier',
      [PROFILE],
    ],
    [
      'a directive within a record',
      `query ($v: Boolean = true) { customer(id: "${ID}") { title email @include(if: $v) } ${CITY} }`,
      'customer',
      ['Customer/GetCustomer', PROFILE],
    ],
    ['an argument of introspection', `query ($v: String = "Customer") { __type(name: $v) { name } ${CITY} }`, '__type', [PROFILE]],
  ])('fails the field without a call: %s', async (_name, query, field, calls) => {
    // A query is compiled after its first executions.
    for (let time = 0; time < 3; time += 1) {
      await testGraph.execute(query);
      const [{ status, data, errors }, sent] = await testGraph.recordCalls(() => testGraph.execute(query, { v: null }));
      // `nodes` is non-null, so `data` is null.
      expect([status, data]).toEqual([294, field === 'nodes' ? null : { [field]: null, ...COMPANY }]);
      expect(errors).toEqual([
        {
          message: expect.stringMatching(/^Argument "/),
          locations: expect.any(Array),
          path: [field],
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ]);
      expect(sent.toSorted()).toEqual(calls);
    }
    expect(unexpected).toEqual([]);
  });

  it('fails the operation for a directive of a root field', async () => {
    const query = `query ($v: Boolean = true) { customer(id: "${ID}") @include(if: $v) { title } ${CITY} }`;
    const [{ status, data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { v: null }));
    expect([status, data, errors?.map(({ extensions }) => extensions.code), calls]).toEqual([400, null, ['BAD_USER_INPUT'], []]);
    expect(unexpected).toEqual([]);
  });

  it('fails the operation for @defer', async () => {
    const query = `query ($v: Boolean = true) { customer(id: "${ID}") { title ... @defer(if: $v) { email } } }`;
    const [{ status, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { v: null }));
    expect([status, errors?.map(({ extensions }) => extensions.code), calls]).toEqual([400, ['BAD_USER_INPUT'], []]);
  });

  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer demo-owner' };
  const sha256Hash = hash('sha256', MANY);
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  const createSearch = (params: object) =>
    new URLSearchParams(
      Object.entries(params).map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
  it.each([
    ['POST', { method: 'POST', body: JSON.stringify({ query: MANY, variables: { n: null } }) }],
    ['GET', { method: 'GET', path: `/graphql?${createSearch({ query: MANY, variables: { n: null } })}` }],
    ['a persisted query', { method: 'POST', body: JSON.stringify({ query: MANY, variables: { n: null }, extensions }) }],
    ['a persisted query by its hash', { method: 'POST', body: JSON.stringify({ variables: { n: null }, extensions }) }],
    ['a persisted query by GET', { method: 'GET', path: `/graphql?${createSearch({ variables: { n: null }, extensions })}` }],
  ])('fails without a call for 90 records whose valid request would also fail: %s', async (_name, request) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(MANY, { n: toGlobalId('Customer', ID) }));
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['QUERY_TOO_EXPENSIVE', []]);
    for (let time = 0; time < 4; time += 1) {
      const [{ body }, sent] = await testGraph.recordCalls(() => sendRaw(testGraph.url, { headers, ...request }));
      const response = JSON.parse(body.toString());
      expect([response.data, response.errors[0].extensions, response.errors[0].path, sent]).toEqual([
        null,
        { code: 'BAD_USER_INPUT' },
        ['nodes'],
        [],
      ]);
    }
    expect(unexpected).toEqual([]);
  });

  it('falls back to the default in tool arguments', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    for (let time = 0; time < 3; time += 1) {
      const [{ isError, body }, calls] = await testGraph.recordCalls(() => tools.call('svc_many', { n: null }));
      expect([isError, body.errors?.some(({ code }: { code: string }) => code === 'NOT_FOUND'), calls.length]).toEqual([false, true, 90]);
    }
    await tools.close();
    expect(unexpected).toEqual([]);
  });
});
