import { EventEmitter } from 'node:events';
import { request as httpRequest, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { SharedDocuments } from '../../../src/server/fast/sharedDocuments.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { postGraph, useWorld } from '../../support/world.ts';

const QUERY = 'query ($id: ID!) { customer(id: $id) { rawId title } }';
const id = demoId('customer 0');
const GET = 'Customer/GetCustomer';

// Reads under way are shared in any case: what tells that the whole query was is `cost`, which is that of the one execution.
const world = useWorld({}, undefined, { env: { COALESCE_QUERIES: 'true', FAST_PATH: 'true' } });

const ask = (key = 'demo-owner', query = QUERY, variables: object = { id }) => postGraph(world.url, key, query, variables);

/** Asks, and leaves when the call is under way. */
function askAndLeave(): { readonly left: Promise<void>; leave(): void } {
  const body = JSON.stringify({ query: QUERY, variables: { id } });
  const headers = { 'content-type': 'application/json', 'content-length': body.length, authorization: 'Bearer demo-owner' };
  const request = httpRequest(`${world.url}/graphql`, { method: 'POST', agent: false, headers }).end(body);
  const left = new Promise<void>((resolve) => request.once('close', resolve));
  request.on('error', () => {});
  return { left, leave: () => request.destroy() };
}

/** Sends several requests while the first upstream call is held back: their answers, and the number of upstream calls. */
async function together(...asking: readonly (() => ReturnType<typeof ask>)[]) {
  const held = world.gate.hold(GET);
  const before = world.gate.sent(GET);
  const answers = asking.map((each) => each());
  await held.arrived;
  // All have been read by then: they are behind it on connections of their own.
  await ask('demo-owner', '{ __typename }', {});
  held.release();
  return { answers: await Promise.all(answers), calls: world.gate.sent(GET) - before };
}

describe('queries that are asked at once', () => {
  it('in the same words and by the same key are executed once, and answered each', async () => {
    const { answers, calls } = await together(
      () => ask(),
      () => ask(),
      () => ask(),
    );
    expect(calls).toBe(1);
    // Every answer reports the cost of the shared execution.
    for (const { data, cost, headers } of answers) {
      expect([data.customer.rawId, cost?.actualCalls]).toEqual([id, 1]);
      expect(headers.get('x-request-id')).toMatch(/./);
    }
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
  });

  it('by another key are executed by themselves', async () => {
    const { answers, calls } = await together(
      () => ask(),
      () => ask('demo-reader'),
    );
    expect([answers.map(({ status }) => status), calls]).toEqual([[200, 200], 2]);
  });

  it('with other variables are executed by themselves', async () => {
    const other = demoId('customer 1');
    const { answers } = await together(
      () => ask(),
      () => ask('demo-owner', QUERY, { id: other }),
    );
    expect(answers.map(({ data }) => data.customer.rawId)).toEqual([id, other]);
  });

  it('fail alike, each told in its own media type', async () => {
    world.sandbox.faults.add({ operation: GET, status: 403, body: '{}', times: 1 });
    const before = world.gate.sent(GET);
    const held = world.gate.hold(GET);
    const askIn = async (type: string) => {
      const headers = { 'content-type': 'application/json', accept: type, authorization: 'Bearer demo-owner' };
      const response = await fetch(`${world.url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: QUERY, variables: { id } }),
      });
      return { type: response.headers.get('content-type'), ...((await response.json()) as { errors: { extensions: { code: string } }[] }) };
    };
    const types = ['application/json', 'application/graphql-response+json'];
    const answers = types.map(askIn);
    await held.arrived;
    await ask('demo-owner', '{ __typename }', {});
    held.release();
    for (const [index, { type, errors }] of (await Promise.all(answers)).entries())
      expect([type, errors.map(({ extensions }) => extensions.code)]).toEqual([`${types[index]}; charset=utf-8`, ['FORBIDDEN']]);
    expect(world.gate.sent(GET) - before).toBe(1);
  });

  it('find nothing alike', async () => {
    const { answers } = await together(
      () => ask('demo-owner', QUERY, { id: 'nobody' }),
      () => ask('demo-owner', QUERY, { id: 'nobody' }),
    );
    expect(answers.map(({ data }) => data)).toEqual([{ customer: null }, { customer: null }]);
  });
});

describe('a change', () => {
  const CHANGE = 'mutation ($input: CustomerUpdateInput!) { customerUpdate(input: $input) { __typename } }';

  it('ends sharing: what is asked after it is not answered by what was asked before', async () => {
    const held = world.gate.hold(GET);
    const before = world.gate.sent(GET);
    const first = ask();
    await held.arrived;
    const title = `Changed ${before}`;
    const { data } = await ask('demo-owner', CHANGE, { input: { customerId: id, title } });
    expect(data.customerUpdate.__typename).toBe('CustomerUpdatePayload');
    const second = ask();
    await ask('demo-owner', '{ __typename }', {});
    held.release();
    await first;
    expect((await second).data.customer.title).toBe(title);
    expect(world.gate.sent(GET) - before).toBe(2);
  });

  it('is never shared', async () => {
    const input = { title: 'Twice' };
    const query =
      'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { ... on CustomerCreatePayload { customer { rawId } } } }';
    const answers = await Promise.all([ask('demo-owner', query, { input }), ask('demo-owner', query, { input })]);
    expect(new Set(answers.map(({ data }) => data.customerCreate.customer.rawId)).size).toBe(2);
  });
});

describe('callers that leave', () => {
  it('leave the answer to those who stay', async () => {
    const held = world.gate.hold(GET);
    const first = askAndLeave();
    await held.arrived;
    const second = ask();
    await ask('demo-owner', '{ __typename }', {});
    first.leave();
    await first.left;
    await ask('demo-owner', '{ __typename }', {});
    held.release();
    expect((await second).data.customer.rawId).toBe(id);
  });

  it('all of them, leave an execution that nobody joins, also while it ends', async () => {
    const shared = new SharedDocuments<string>();
    const body = Buffer.from('{}');
    const response = () => Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;
    const first = response();
    const neverEnds = new Promise<string>(() => {});
    void shared.answer('key', body, first, () => neverEnds);
    first.emit('close');
    expect(await shared.answer('key', body, response(), async () => 'executed anew')).toBe('executed anew');
  });

  it('all of them, have what they asked given up', async () => {
    const held = world.gate.hold(GET);
    const before = world.gate.sent(GET);
    const first = askAndLeave();
    await held.arrived;
    first.leave();
    await held.givenUp;
    held.release();
    expect((await ask()).data.customer.rawId).toBe(id);
    expect(world.gate.sent(GET) - before).toBe(2);
  });
});
