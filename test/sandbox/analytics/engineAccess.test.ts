import { describe, expect, it } from 'vitest';
import { roleFolderTable } from '../../../sandbox/kernel/visibility.ts';
import { spec } from '../../support/spec.ts';
import { FORBIDDEN, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { createQuery, measure, related } from './queryHelpers.ts';

const opened = useSandbox();
const { callAs } = opened;

const QUERY = createQuery('orders', { aggregate: { measures: [measure('COUNT')] } });
const SQL = "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1";
const OPERATIONS = [
  ['AnalyticsService/ListCatalog', {}],
  ['AnalyticsService/ExecuteQuery', { query: QUERY }],
  ['AnalyticsService/ExecuteSQL', { sql: SQL }],
] as const;

describe('totals', () => {
  it.each(OPERATIONS)('require the scope analytics:read without wildcards: %s', spec('4.12.1', '5.36'), async (operation, request) => {
    for (const scopes of [['*'], ['analytics:*'], ['order:read']]) {
      const key = makeKey(opened.sandbox.world, { scopes });
      expect(summarizeError(await callAs(key, operation, request))).toEqual(FORBIDDEN);
    }
    const key = makeKey(opened.sandbox.world, { scopes: ['analytics:read'] });
    expect(summarizeError(await callAs(key, operation, request))).not.toEqual(FORBIDDEN);
  });

  it.each(OPERATIONS)('require full access to boards: %s', spec('4.12.14'), async (operation, request) => {
    const key = makeKey(opened.sandbox.world, {
      permissions: ['boardAccess:READ_WRITE', 'billingAccess:FULL_ACCESS', 'planningAccess:FULL_ACCESS'],
    });
    expect(summarizeError(await callAs(key, operation, request))).toEqual(FORBIDDEN);
  });

  it('require no more than full access to boards for every root, because it includes the other domains', spec('4.12.15'), async () => {
    const key = makeKey(opened.sandbox.world, { permissions: ['boardAccess:FULL_ACCESS'] });
    for (const entity of ['customers', 'appointments', 'orders', 'offers', 'workorders', 'problems', 'payments', 'appointment_results']) {
      const query = { ...QUERY, entity, filter: undefined };
      expect((await callAs(key, 'AnalyticsService/ExecuteQuery', { query })).status).toBe(200);
    }
  });

  it.each([
    ['customers', { customers: 'teams' }],
    ['data fields', { customers: 'all', fields: ['site_address'] }],
  ] as const)('return an error if the member’s Customer View hides %s', spec('4.12.16', '7.34'), async (_hidden, view) => {
    const key = makeKey(opened.sandbox.world, { view });
    const filter = related('customer');
    for (const query of [QUERY, { ...QUERY, filter }, createQuery('orders', { records: { fields: ['id'] } })])
      expect(summarizeError(await callAs(key, 'AnalyticsService/ExecuteQuery', { query }))).toEqual(FORBIDDEN);
  });

  it('include all records for a member whose Customer View hides nothing', async () => {
    const key = makeKey(opened.sandbox.world, { view: { customers: 'all' } });
    expect((await callAs(key, 'AnalyticsService/ExecuteQuery', { query: QUERY })).status).toBe(200);
  });

  it('return an error if the member’s role limits the catalog', spec('4.12.16'), async () => {
    const { world } = opened.sandbox;
    const key = makeKey(world, { permissions: ['boardAccess:FULL_ACCESS'] });
    expect((await callAs(key, 'AnalyticsService/ExecuteQuery', { query: QUERY })).status).toBe(200);
    roleFolderTable.insert(world.store, { role_id: `role ${key}`, folder_id: 'folder' });
    expect(summarizeError(await callAs(key, 'AnalyticsService/ExecuteQuery', { query: QUERY }))).toEqual(FORBIDDEN);
  });

  it('use the roles of the member at the time of the call', spec('4.12.93'), async () => {
    const { store } = opened.sandbox.world;
    const key = makeKey(opened.sandbox.world, { permissions: ['boardAccess:FULL_ACCESS'] });
    expect((await callAs(key, 'AnalyticsService/ExecuteQuery', { query: QUERY })).status).toBe(200);
    store.run('DELETE FROM role_grants WHERE role_id = :role', { role: `role ${key}` });
    expect(summarizeError(await callAs(key, 'AnalyticsService/ExecuteQuery', { query: QUERY }))).toEqual(FORBIDDEN);
  });

  it('include only the key’s workspace', async () => {
    const fetchCount = async (key: string) =>
      (await callAs(key, 'AnalyticsService/ExecuteQuery', { query: QUERY })).body.result.rows[0].cells[0].integer;
    const { store } = opened.sandbox.world;
    const countStored = (id: string) =>
      String(store.get<{ count: number }>('SELECT count(*) AS count FROM orders WHERE workspace_id = :id', { id })?.count);
    expect(await fetchCount('demo-owner')).toBe(countStored(demoId('workspace')));
    const neighbour = store.get<{ id: string }>('SELECT id FROM workspaces WHERE id <> :id', { id: demoId('workspace') })?.id ?? '';
    expect(await fetchCount('demo-neighbour')).toBe(countStored(neighbour));
  });

  it('accept requests of up to 256 KiB', spec('8.21'), async () => {
    const body = JSON.stringify({ query: QUERY });
    const send = (bytes: number) =>
      opened.fetch('/public-api/publicapi.v1.AnalyticsService/ExecuteQuery', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
        body: body.padEnd(bytes),
      });
    expect((await send(262_144)).status).toBe(200);
    const refused = await send(262_145);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({ status: 400, body: { code: 'invalid_argument' } });
  });
});
