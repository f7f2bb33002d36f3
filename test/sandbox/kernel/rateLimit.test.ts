import { afterEach, beforeEach, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { openSandbox, post, START, type TestSandbox } from '../sandbox.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox({ rateLimit: { limit: 3, windowSeconds: 60 } });
});
afterEach(() => sandbox.close());

const readQuota = (headers: Headers) => ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
const call = (operation = 'Workspace/Me', request: unknown = {}, key = 'demo-owner') => post(sandbox.url, key, operation, request);

it('returns the limit, the remaining calls, and the seconds until the window ends', spec('8.26'), async () => {
  expect(readQuota((await call()).headers)).toEqual(['3', '2', '60']);
  sandbox.now = START + 20;
  expect(readQuota((await call()).headers)).toEqual(['3', '1', '40']);
});

it('rejects calls above the limit, with the seconds until the next window', spec('7.7'), async () => {
  for (let used = 0; used < 3; used += 1) expect((await call()).status).toBe(200);
  sandbox.now = START + 45;
  const { status, headers, body } = await call();
  expect({ status, code: body.code, retryAfter: headers.get('retry-after') }).toEqual({
    status: 429,
    code: 'resource_exhausted',
    retryAfter: '15',
  });
  expect(readQuota(headers)).toEqual(['3', '0', '15']);
});

it('has no effect when it rejects a call', async () => {
  for (let used = 0; used < 3; used += 1) await call();
  expect((await call('Contact/CreateContact', { lastName: 'Toolate' })).status).toBe(429);
  expect(sandbox.world.store.all("SELECT 1 FROM contacts WHERE last_name = 'Toolate'")).toEqual([]);
});

it('accepts calls again in the second that it returned', spec('8.27'), async () => {
  for (let used = 0; used < 4; used += 1) await call();
  sandbox.now = START + 59;
  expect((await call()).status).toBe(429);
  sandbox.now = START + 60;
  const { status, headers } = await call();
  expect({ status, quota: readQuota(headers) }).toEqual({ status: 200, quota: ['3', '2', '60'] });
});

it('counts each key separately', spec('8.27'), async () => {
  for (let used = 0; used < 4; used += 1) await call();
  expect(readQuota((await call('Workspace/Me', {}, 'demo-sales')).headers)).toEqual(['3', '2', '60']);
});

it('counts rejected calls, and returns the remaining calls', async () => {
  const { status, headers } = await call('Contact/GetContact', { id: 'absent' });
  expect({ status, quota: readQuota(headers) }).toEqual({ status: 404, quota: ['3', '2', '60'] });
});
