import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useFaultyUpstream } from './faultyUpstream.ts';

const { testGraph, run, runUntilTimeout, addFault } = useFaultyUpstream();

const GET = 'Contact/GetContact';
const CONTACT = 'query ($id: ID!) { contact(id: $id) { rawId firstName lastName email createdAt } }';
const getVariables = () => ({ id: demoId('contact 0') });
const respondWith = (body: unknown): Omit<Fault, 'operation'> => ({
  status: 200,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** An error text with upstream internals: URL, API key, and stack. */
const createLeakyError = () =>
  `Error: boom at ${testGraph.sandbox.url}/public-api/x with demo-owner\n    at handle (/srv/app/node_modules/router/index.ts:12:7)\n    at sk_live`;

describe('read', () => {
  it.each([
    ['is not JSON', '<html>Welcome</html>'],
    ['is empty', ''],
    ['is truncated', '{"contact":{"id":"a"'],
    ['is a JSON array', '[]'],
    ['is JSON null', 'null'],
    ['is a JSON string', '"contact"'],
    ['is empty JSON', {}],
    ['has null as the record', { contact: null }],
    ['has a string as the record', { contact: 'Ada' }],
    ['has a list as the record', { contact: [{ id: 'a' }] }],
    ['has a number as the record', { contact: 5 }],
    ['has a record without an ID', { contact: { lastName: 'Adler' } }],
    ['has a record with an ID that isn’t a string', { contact: { id: 5, lastName: 'Adler' } }],
    ['has an object instead of a string', { contact: { id: 'a', lastName: { de: 'Adler' } } }],
    ['has a list instead of a string', { contact: { id: 'a', lastName: ['Adler'] } }],
  ])('fails after one call if the response %s', async (_name, body) => {
    addFault(GET, respondWith(body));
    const { data, codes, calls } = await run(CONTACT, getVariables());
    expect(data.contact?.lastName ?? null).toBeNull();
    expect(codes).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(calls).toEqual([GET]);
  });

  it.each([
    ['an object instead of the list', { contacts: { id: 'a' } }],
    ['a string instead of the list', { contacts: 'a' }],
    ['a row that is null', { contacts: [{ id: 'a' }, null] }],
    ['a row that is a string', { contacts: ['a'] }],
    ['a row without an ID', { contacts: [{ id: 'a' }, { lastName: 'Adler' }] }],
  ])('fails after one call if the response has %s', async (_name, body) => {
    addFault('Contact/ListContacts', respondWith(body));
    const { data, codes, calls } = await run('{ contacts { nodes { id } } }');
    expect(data).toEqual({ contacts: null });
    expect(codes).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(calls).toEqual(['Contact/ListContacts']);
  });

  it('resolves to null for a missing record', async () => {
    expect(await run(CONTACT, { id: 'absent' })).toMatchObject({ data: { contact: null }, codes: [], calls: [GET] });
  });

  it('fails for a 404 with an HTML page', async () => {
    addFault(GET, { status: 404, body: `<h1>Not found</h1>${createLeakyError()}`, contentType: 'text/html' });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: null },
      codes: ['UPSTREAM_INVALID_RESPONSE'],
      calls: [GET],
    });
  });

  it.each([
    ['a code', { code: 'unauthenticated' }],
    ['a message', { message: 'No such key.' }],
    ['an error with a message', { error: { message: 'No such key.' } }],
  ])('fails as unauthenticated for a 401 with %s', async (_name, body) => {
    addFault(GET, { status: 401, body: JSON.stringify(body) });
    expect(await run(CONTACT, getVariables())).toMatchObject({ data: { contact: null }, codes: ['UNAUTHENTICATED'], calls: [GET] });
  });

  it.each([
    [401, '<h1>Sign in</h1>'],
    [401, ''],
    [401, '{}'],
    [401, '{"error":"login_required"}'],
    [407, '<h1>Proxy authentication required</h1>'],
    [407, '{"message":"Proxy authentication required"}'],
    [400, '<h1>Bad request</h1>'],
    [403, 'RBAC: access denied'],
    [409, '<h1>Conflict</h1>'],
  ])('fails as unavailable for a %i of a proxy: %s', async (status, body) => {
    addFault(GET, { status, body });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: null },
      codes: ['UPSTREAM_UNAVAILABLE'],
      extensions: { retry: 'SAFE' },
      calls: [GET],
    });
  });

  it.each([500, 501, 505])('fails after one call for a %i whose body has internals', async (status) => {
    addFault(GET, { status, body: createLeakyError(), contentType: 'text/plain' });
    expect(await run(CONTACT, getVariables())).toMatchObject({ data: { contact: null }, codes: ['UPSTREAM_UNAVAILABLE'], calls: [GET] });
  });

  it.each([400, 403, 405, 409, 418, 422])('omits the internals of a %i', async (status) => {
    for (const body of [
      createLeakyError(),
      JSON.stringify({ message: createLeakyError() }),
      JSON.stringify({ error: { message: createLeakyError().split('\n')[0] } }),
    ]) {
      addFault(GET, { status, body, times: 1 });
      const { data, codes, calls } = await run(CONTACT, getVariables());
      expect({ data, calls }).toEqual({ data: { contact: null }, calls: [GET] });
      expect(codes).toHaveLength(1);
      expect(codes).not.toContain('INTERNAL_SERVER_ERROR');
    }
  });

  it('has no retry after a 429 with a long Retry-After', async () => {
    addFault(GET, { status: 429, retryAfter: 7 });
    const { codes, extensions, calls } = await run(CONTACT, getVariables(), makeKey(testGraph.sandbox.world));
    expect({ codes, calls }).toEqual({ codes: ['RATE_LIMITED'], calls: [GET] });
    expect(extensions).toMatchObject({ retryAfterSeconds: 7, retry: 'SAFE' });
  });

  it('has two retries after a 429 without Retry-After and reports a default delay', async () => {
    addFault(GET, { status: 429 });
    const { codes, extensions, calls } = await run(CONTACT, getVariables(), makeKey(testGraph.sandbox.world));
    expect({ codes, calls }).toEqual({ codes: ['RATE_LIMITED'], calls: [GET, GET, GET] });
    expect(extensions).toMatchObject({ retryAfterSeconds: 4, retry: 'SAFE' });
  });

  it.each([
    ['408', { status: 408 }],
    ['502', { status: 502 }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
    ['408 with its code', { status: 408, body: '{"code":"deadline_exceeded"}' }],
    ['503 with another code', { status: 503, body: '{"code":"internal"}' }],
    ['code of 503 with status 500', { status: 500, body: '{"code":"unavailable"}' }],
    ['code of 504 with status 200', { status: 200, body: '{"code":"deadline_exceeded"}' }],
  ])('has at most two retries after a %s', async (_name, fault) => {
    addFault(GET, { ...fault, times: 1 });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: { rawId: demoId('contact 0') } },
      codes: [],
      calls: [GET, GET],
    });
    addFault(GET, fault);
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: null },
      codes: ['UPSTREAM_UNAVAILABLE'],
      calls: [GET, GET, GET],
    });
  });

  it.each([
    ['invalid_argument', 400, 'BAD_USER_INPUT'],
    ['out_of_range', 400, 'BAD_USER_INPUT'],
    ['permission_denied', 403, 'FORBIDDEN'],
    ['unimplemented', 404, 'REJECTED'],
    ['unimplemented', 501, 'REJECTED'],
    ['already_exists', 409, 'REJECTED'],
    ['aborted', 409, 'REJECTED'],
    ['failed_precondition', 400, 'REJECTED'],
    ['failed_precondition', 412, 'REJECTED'],
    ['canceled', 499, 'UPSTREAM_UNAVAILABLE'],
    ['internal', 500, 'UPSTREAM_UNAVAILABLE'],
    ['unknown', 500, 'UPSTREAM_UNAVAILABLE'],
    ['data_loss', 500, 'UPSTREAM_UNAVAILABLE'],
  ])('has no retry after the code %s with status %i', async (code, status, expected) => {
    addFault(GET, { status, body: JSON.stringify({ code, message: 'No.' }) });
    expect(await run(CONTACT, getVariables())).toMatchObject({ data: { contact: null }, codes: [expected], calls: [GET] });
  });

  it('has no retry after a 503 with a long Retry-After', async () => {
    addFault(GET, { status: 503, retryAfter: 30 });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      codes: ['UPSTREAM_UNAVAILABLE'],
      extensions: { retryAfterSeconds: 30 },
      calls: [GET],
    });
  });

  it.each<[string, Omit<Fault, 'operation'>]>([
    ['a 500', { status: 500 }],
    ['a lost connection', { cut: 'before' }],
  ])('doesn’t describe a mutation after %s', async (_, fault) => {
    addFault(GET, fault);
    const { errors } = await testGraph.execute(CONTACT, getVariables());
    expect(errors?.map(({ message }) => message)).toEqual(['The Workspace API is unavailable. Try again.']);
  });

  it('has at most two retries after a connection error', async () => {
    addFault(GET, { cut: 'before', times: 1 });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: { rawId: demoId('contact 0') } },
      codes: [],
      calls: [GET, GET],
    });
    addFault(GET, { cut: 'after' });
    expect(await run(CONTACT, getVariables())).toMatchObject({
      data: { contact: null },
      codes: ['UPSTREAM_UNAVAILABLE'],
      calls: [GET, GET, GET],
    });
  });

  it('has no retry after a timeout', async () => {
    const { data, codes, extensions, calls } = await runUntilTimeout(GET, CONTACT, getVariables());
    expect({ data, codes, calls }).toEqual({ data: { contact: null }, codes: ['UPSTREAM_TIMEOUT'], calls: [GET] });
    expect(extensions?.retry).toBe('SAFE');
  });

  it('doesn’t affect the other fields if it fails', async () => {
    addFault(GET, { status: 500 });
    const { data, codes } = await run(
      'query ($id: ID!) { contact(id: $id) { lastName } contacts(first: 1) { nodes { __typename } } }',
      getVariables(),
    );
    expect(data).toEqual({ contact: null, contacts: { nodes: [{ __typename: 'Contact' }] } });
    expect(codes).toEqual(['UPSTREAM_UNAVAILABLE']);
  });
});

describe('scope lookup', () => {
  it.each<[string, Omit<Fault, 'operation'>, string]>([
    ['fails', { status: 500 }, 'UPSTREAM_UNAVAILABLE'],
    ['is cut off', { cut: 'before' }, 'UPSTREAM_UNAVAILABLE'],
    ['has a malformed response', { body: 'nonsense' }, 'UPSTREAM_INVALID_RESPONSE'],
    ['is rate-limited', { status: 429, retryAfter: 3 }, 'RATE_LIMITED'],
    ['is rejected for the key', { status: 401, body: '{"message":"No such key."}' }, 'UNAUTHENTICATED'],
    ['is rejected by a proxy', { status: 401, body: '<h1>Sign in</h1>' }, 'UPSTREAM_UNAVAILABLE'],
    ['is denied by a proxy', { status: 403, body: '<h1>Forbidden</h1>' }, 'UPSTREAM_UNAVAILABLE'],
  ])('fails only its request if it %s', async (_name, fault, code) => {
    const key = makeKey(testGraph.sandbox.world);
    addFault('Workspace/Me', fault);
    expect(await run(CONTACT, getVariables(), key)).toMatchObject({ data: { contact: null }, codes: [code], calls: [] });
    testGraph.sandbox.faults.clear();
    if (code !== 'UNAUTHENTICATED') expect((await run(CONTACT, getVariables(), key)).codes).toEqual([]);
  });

  it('leaves the decision to the upstream if the response has no scopes', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read'] });
    addFault('Workspace/Me', respondWith({ hello: 'world' }));
    expect(await run(CONTACT, getVariables(), key)).toMatchObject({
      codes: ['FORBIDDEN'],
      extensions: { reason: 'UNDETERMINED' },
      calls: [GET],
    });
  });
});

describe('response of a newer or older upstream version', () => {
  const QUOTE = 'query ($id: ID!) { quote(id: $id) { status statusText lines { priceType quantity } customer { id } version } }';

  it('maps unknown enum values to OTHER and returns the original value', async () => {
    addFault(
      'Quote/GetQuote',
      respondWith({
        quote: {
          id: 'q',
          version: '1',
          customerId: 'c',
          currency: 'EUR',
          createdAt: '1',
          status: 'PUBLIC_QUOTE_STATUS_FROZEN',
          lineItems: [{ id: 'l', priceType: 'BI_WEEKLY' }],
        },
      }),
    );
    const { data, codes } = await run(QUOTE, { id: 'q' });
    expect(codes).toEqual([]);
    expect(data.quote).toMatchObject({
      status: 'OTHER',
      statusText: 'PUBLIC_QUOTE_STATUS_FROZEN',
      lines: [{ priceType: 'OTHER', quantity: 0 }],
    });
  });

  it('resolves to the same values with and without defaults', async () => {
    const typed = 'query ($id: ID!) { contact(id: $id) { rawId firstName lastName email phone createdAt updatedAt } }';
    const [minimal, withDefaults, nulls] = [
      { id: 'c' },
      { id: 'c', firstName: '', lastName: '', email: '', phone: '', createdAt: '0', updatedAt: '0' },
      { id: 'c', firstName: null, lastName: null, email: null, phone: null, createdAt: null, updatedAt: null },
    ];
    const results = [];
    for (const record of [minimal, withDefaults, nulls]) {
      addFault(GET, { ...respondWith({ contact: record }), times: 1 });
      results.push(await run(typed, { id: 'c' }));
    }
    expect(results.map(({ codes }) => codes)).toEqual([[], [], []]);
    const empty = { rawId: 'c', firstName: null, lastName: '', email: null, phone: null, createdAt: null, updatedAt: null };
    expect(results.map(({ data }) => data.contact)).toEqual([empty, empty, empty]);
  });

  it('resolves to the same empty list in each form', async () => {
    for (const body of [{}, { contacts: [] }, { contacts: [], page: 1, pageSize: 25, hasMore: false }, { contacts: null }]) {
      addFault('Contact/ListContacts', { ...respondWith(body), times: 1 });
      const { data, codes } = await run('{ contacts { nodes { id } pageInfo { hasNextPage } } }');
      expect({ data, codes }).toEqual({ data: { contacts: { nodes: [], pageInfo: { hasNextPage: false } } }, codes: [] });
    }
  });
});
