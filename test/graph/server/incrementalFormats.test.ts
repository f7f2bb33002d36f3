import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { readParts } from '../../support/parts.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const TIMELINE = `query ($id: ID!) {
  customer(id: $id) { title ... @defer(label: "events") { timelineEvents(first: 2) { nodes { rawId } } } }
}`;

const send = (accept: string, query = TIMELINE) =>
  fetch(`${testGraph.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', accept },
    body: JSON.stringify({ query, variables: { id: demoId('customer 0') } }),
  });

describe('format of incremental results', () => {
  it.each([
    ['multipart/mixed', ''],
    ['multipart/mixed;deferSpec=20220824', '; deferSpec=20220824'],
    ['Multipart/Mixed; DeferSpec="20220824"', '; deferSpec=20220824'],
    ['*/*', ''],
    ['multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824;q=0.5', '; deferSpec=20220824'],
  ])('follows the draft of 2022 for %s', async (accept, parameter) => {
    const response = await send(accept);
    const parts: object[] = [];
    for await (const part of readParts(response.body as ReadableStream<Uint8Array<ArrayBuffer>>)) parts.push(part);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `multipart/mixed; boundary="-"${parameter}`]);
    expect(parts.at(-1)).toMatchObject({ incremental: [{ path: ['customer'], label: 'events' }], hasNext: false });
  });

  it.each([
    ['multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9', 'application/graphql-response+json'],
    ['multipart/mixed;incrementalSpec=v0.2, */*;q=0.1', 'application/json'],
    ['multipart/mixed;deferSpec=20230621, application/json', 'application/json'],
    ['multipart/mixed;q=0, application/json', 'application/json'],
  ])('gives way to a complete response for %s', async (accept, type) => {
    const [response, calls] = await testGraph.recordCalls(() => send(accept));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(await response.json()).toMatchObject({
      data: { customer: { title: expect.any(String), timelineEvents: { nodes: [{ rawId: expect.any(String) }, {}] } } },
      extensions: { cost: { actualCalls: 2 } },
    });
    expect(calls).toEqual(['Customer/GetCustomer', 'Customer/ListCustomerTimelineEvents']);
  });

  it.each([
    'multipart/mixed;incrementalSpec=v0.2',
    'multipart/mixed;incrementalSpec=v0.1',
    'multipart/mixed;deferSpec=20230621',
    'multipart/mixed;incrementalSpec=v0.2, text/plain',
  ])('causes 406 without a call if only %s is accepted', async (accept) => {
    const [response, calls] = await testGraph.recordCalls(() => send(accept));
    expect([response.status, calls]).toEqual([406, []]);
    expect(await response.json()).toEqual({
      errors: [{ message: expect.stringContaining('Supported media types: application/json'), extensions: { code: 'BAD_REQUEST' } }],
    });
  });
});

describe('deferred selection of the schema', () => {
  it('returns the same result for every request', async () => {
    const query = '{ __schema { queryType { name } ... @defer { mutationType { name } } } }';
    for (const accept of ['multipart/mixed', 'multipart/mixed', 'application/json', 'application/json'])
      expect(await (await send(accept, query)).text()).toContain('"mutationType":{"name":"Mutation"}');
  });
});
