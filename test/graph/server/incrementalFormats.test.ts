import { afterEach, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { readParts } from '../../support/parts.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const small = useTestGraph({}, undefined, { env: { MAX_RESPONSE_BYTES: '20000' } });
afterEach(() => testGraph.sandbox.faults.clear());

const NEW = 'multipart/mixed; incrementalSpec=v0.2';
const EVENTS = 'Customer/ListCustomerTimelineEvents';
const CUSTOMER = demoId('customer 0');

interface NewPart {
  readonly data?: Record<string, unknown>;
  readonly pending?: readonly { readonly id: string; readonly path: (string | number)[]; readonly label?: string }[];
  readonly incremental?: readonly {
    readonly id: string;
    readonly data?: Record<string, unknown>;
    readonly items?: unknown[];
    readonly errors?: object[];
  }[];
  readonly completed?: readonly { readonly id: string; readonly errors?: object[] }[];
  readonly hasNext?: boolean;
  readonly extensions?: { readonly cost?: object };
}

const send = (query: string, accept: string, variables: object = { id: CUSTOMER }, url = testGraph.url) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', accept },
    body: JSON.stringify({ query, variables }),
  });

async function fetchParts(query: string, variables?: object, accept = NEW, url?: string): Promise<NewPart[]> {
  const response = await send(query, accept, variables, url);
  expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="-"; incrementalSpec=v0.2');
  const parts: NewPart[] = [];
  for await (const part of readParts(response.body as ReadableStream<Uint8Array<ArrayBuffer>>)) parts.push(part as unknown as NewPart);
  checkForm(parts);
  return parts;
}

/** Checks the rules of this format: each result is announced once, before it is delivered, and completed once. */
function checkForm(parts: readonly NewPart[]): void {
  const open = new Set<string>();
  const known = new Set<string>();
  for (const { pending = [], incremental = [], completed = [] } of parts) {
    for (const { id } of pending) {
      expect(known.has(id)).toBe(false);
      known.add(id);
      open.add(id);
    }
    for (const { id } of incremental) expect(open.has(id)).toBe(true);
    for (const { id } of completed) expect(open.delete(id)).toBe(true);
  }
  expect([...open]).toEqual([]);
  expect(parts.map(({ hasNext }) => hasNext)).toEqual(
    parts.map((_part, index) => (parts.length === 1 ? undefined : index < parts.length - 1)),
  );
  expect(JSON.stringify(parts)).not.toContain('__pending');
}

const TIMELINE = `query ($id: ID!) {
  customer(id: $id) { title ... @defer(label: "events") { timelineEvents(first: 2) { nodes { rawId } } } }
}`;

describe('incrementalSpec=v0.2', () => {
  it('announces a deferred fragment in the first payload and completes it', async () => {
    const [first, last, ...others] = await fetchParts(TIMELINE);
    expect(first).toEqual({
      data: { customer: { title: expect.any(String) } },
      pending: [{ id: '0', path: ['customer'], label: 'events' }],
      hasNext: true,
    });
    expect(last).toEqual({
      incremental: [{ id: '0', data: { timelineEvents: { nodes: [{ rawId: expect.any(String) }, { rawId: expect.any(String) }] } } }],
      completed: [{ id: '0' }],
      hasNext: false,
      extensions: { cost: expect.objectContaining({ predictedCalls: 2, actualCalls: 2 }) },
    });
    expect(others).toEqual([]);
  });

  it('announces fragments of abstract types, named fragments, and each object of a list', async () => {
    const ids = [
      toGlobalId('Contact', demoId('contact 1')),
      toGlobalId('Customer', demoId('customer 1')),
      toGlobalId('Customer', CUSTOMER),
    ];
    const [first, ...others] = await fetchParts(
      `query ($ids: [ID!]!, $no: Boolean! = false) {
        nodes(ids: $ids) { id ...Titled @defer(label: "t") ... on Contact @defer { lastName } ... @defer(if: $no, label: "n") { id } ... @skip(if: true) @defer { id } }
      }
      fragment Titled on Customer { title }`,
      { ids },
    );
    expect(first?.pending).toEqual([
      { id: expect.any(String), path: ['nodes', 0] },
      { id: expect.any(String), path: ['nodes', 1], label: 't' },
      { id: expect.any(String), path: ['nodes', 2], label: 't' },
    ]);
    expect(first?.data).toEqual({ nodes: ids.map((id) => ({ id })) });
    expect(others.flatMap(({ pending = [] }) => pending)).toEqual([]);
    expect(others.flatMap(({ incremental = [] }) => incremental).map(({ data }) => Object.keys(data ?? {}))).toEqual(
      expect.arrayContaining([['lastName'], ['title'], ['title']]),
    );
  });

  it('announces a fragment inside a deferred one with or after it', async () => {
    const parts = await fetchParts(`query ($id: ID!) {
      customer(id: $id) { id ... @defer(label: "outer") { title orders(first: 2) { nodes { id ... @defer(label: "inner") { referenceNumber } } } } }
    }`);
    expect(parts[0]?.pending).toEqual([{ id: '0', path: ['customer'], label: 'outer' }]);
    const inner = parts.slice(1).flatMap(({ pending = [] }) => pending);
    expect(inner.map(({ path, label }) => [path, label])).toEqual([
      [['customer', 'orders', 'nodes', 0], 'inner'],
      [['customer', 'orders', 'nodes', 1], 'inner'],
    ]);
  });

  it('delivers the items of a stream in order', async () => {
    const parts = await fetchParts(
      'query ($id: ID!) { customer(id: $id) { timelineEvents(first: 3) { nodes @stream(initialCount: 1, label: "s") { rawId } } } }',
    );
    expect(parts[0]).toMatchObject({ pending: [{ id: '0', path: ['customer', 'timelineEvents', 'nodes'], label: 's' }], hasNext: true });
    const whole = await testGraph.execute('query ($id: ID!) { customer(id: $id) { timelineEvents(first: 3) { nodes { rawId } } } }', {
      id: CUSTOMER,
    });
    const first = (parts[0]?.data?.customer as typeof whole.data.customer)?.timelineEvents.nodes;
    const items = parts.flatMap(({ incremental = [] }) => incremental.flatMap((each) => each.items ?? []));
    expect([...first, ...items]).toEqual(whole.data.customer.timelineEvents.nodes);
  });

  it('delivers a list that a deferred fragment streams', async () => {
    const parts = await fetchParts(
      'query ($id: ID!) { customer(id: $id) { id ... @defer { timelineEvents(first: 3) { nodes @stream(initialCount: 1) { rawId } } } } }',
    );
    expect(parts[0]?.pending).toEqual([{ id: '0', path: ['customer'] }]);
    expect(parts.slice(1).flatMap(({ pending = [] }) => pending)).toEqual([{ id: '1', path: ['customer', 'timelineEvents', 'nodes'] }]);
    expect(parts.flatMap(({ incremental = [] }) => incremental.flatMap((each) => each.items ?? []))).toHaveLength(2);
  });

  it('completes a fragment with the errors that removed it and returns others with the data', async () => {
    testGraph.sandbox.faults.add({ operation: EVENTS, status: 403, body: '{}' });
    const parts = await fetchParts(TIMELINE);
    expect(parts.at(-1)).toMatchObject({
      incremental: [
        { id: '0', data: { timelineEvents: null }, errors: [{ path: ['customer', 'timelineEvents'], extensions: { code: 'FORBIDDEN' } }] },
      ],
      completed: [{ id: '0' }],
    });
  });

  it('causes the same upstream calls as the format of 2022', async () => {
    const query = 'query ($id: ID!) { order(id: $id) { referenceNumber customer { rawId ... @defer { id } } } }';
    const [, calls] = await testGraph.recordCalls(() => fetchParts(query, { id: demoId('order 0') }));
    expect(calls).toEqual(['Order/GetOrder']);
  });

  it('responds with one payload without markers if nothing is deferred', async () => {
    const [only, ...others] = await fetchParts('query ($id: ID!) { customer(id: $id) { __typename ... @defer { title } } }', {
      id: 'missing',
    });
    expect([only?.data, others]).toEqual([{ customer: null }, []]);
  });

  it('applies to event streams that request it', async () => {
    const response = await send(TIMELINE, 'text/event-stream;incrementalSpec=v0.2');
    const events = [...(await response.text()).matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json) as NewPart);
    checkForm(events);
    expect(events[0]?.pending).toHaveLength(1);
  });

  it('completes every fragment with the error if the response becomes too large', async () => {
    small.sandbox.world.store.run('UPDATE customers SET title = :title', { title: 'x'.repeat(450) });
    const query = `{
      __typename
      ... @defer(label: "a") { a: customers(first: 17) { nodes { title x: title y: title } } }
      ... @defer(label: "b") { b: contacts(first: 1) { nodes { lastName } } }
    }`;
    // Otherwise, its response would arrive first.
    small.gate.hold('Contact/ListContacts');
    const parts = await fetchParts(query, {}, NEW, small.url);
    expect(parts.flatMap(({ pending = [] }) => pending).map(({ label }) => label)).toEqual(['a', 'b']);
    const completed = parts.flatMap((part) => part.completed ?? []);
    expect(completed).toHaveLength(2);
    for (const { errors } of completed) expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_EXPENSIVE' } }]);
  });
});

describe('format of incremental results', () => {
  const hasPendingResults = (parts: readonly object[]) => parts.some((part) => 'pending' in part);
  const fetchFormat = async (accept: string) => {
    const response = await send(TIMELINE, accept);
    const parts: object[] = [];
    if (response.ok) for await (const part of readParts(response.body as ReadableStream<Uint8Array<ArrayBuffer>>)) parts.push(part);
    return { status: response.status, type: response.headers.get('content-type'), parts };
  };

  it.each([
    ['multipart/mixed', false, ''],
    ['multipart/mixed;deferSpec=20220824', false, '; deferSpec=20220824'],
    ['multipart/mixed;incrementalSpec=v0.1', false, '; incrementalSpec=v0.1'],
    ['*/*', false, ''],
    ['Multipart/Mixed; IncrementalSpec="V0.2"', true, '; incrementalSpec=v0.2'],
    ['multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9', true, '; incrementalSpec=v0.2'],
    ['multipart/mixed;deferSpec=20220824, multipart/mixed;incrementalSpec=v0.2;q=0.9', false, '; deferSpec=20220824'],
    ['multipart/mixed;deferSpec=20220824;q=0.5, multipart/mixed;incrementalSpec=v0.2;q=0.9', true, '; incrementalSpec=v0.2'],
    ['multipart/mixed;incrementalSpec=v9, multipart/mixed;deferSpec=20220824', false, '; deferSpec=20220824'],
    ['multipart/mixed;q=0.5, multipart/mixed;incrementalSpec=v0.2', true, '; incrementalSpec=v0.2'],
  ])('supports pending results for %s: %s', async (accept, expected, parameter) => {
    const { status, type, parts } = await fetchFormat(accept);
    expect([status, type, hasPendingResults(parts)]).toEqual([200, `multipart/mixed; boundary="-"${parameter}`, expected]);
  });

  it.each([
    'multipart/mixed;incrementalSpec=v0.3',
    'multipart/mixed;deferSpec=20230621',
    'multipart/mixed;incrementalSpec=v0.3, */*;q=0.1',
    'multipart/mixed;incrementalSpec=v0.3,application/graphql-response+json,application/json;q=0.9',
    'multipart/mixed;incrementalSpec=v0.2;q=0, application/json',
  ])('causes 406 without a call if it isn’t supported: %s', async (accept) => {
    const [{ status, parts }, calls] = await testGraph.recordCalls(() => fetchFormat(accept));
    expect([status, parts, calls]).toEqual([406, [], []]);
  });

  it('has no effect without @defer', async () => {
    const response = await send('{ __typename }', 'multipart/mixed;incrementalSpec=v0.3,application/json;q=0.9', {});
    expect([response.status, await response.json()]).toEqual([200, { data: { __typename: 'Query' } }]);
  });
});

describe('deferred selection of the schema', () => {
  it('returns the same result for every request', async () => {
    const query = '{ __schema { queryType { name } ... @defer { mutationType { name } } } }';
    for (const accept of ['multipart/mixed', 'multipart/mixed', NEW, NEW]) {
      const text = await (await send(query, accept, {})).text();
      expect(text).toContain('"mutationType":{"name":"Mutation"}');
      expect(text.includes('"pending"')).toBe(accept === NEW);
    }
  });
});
