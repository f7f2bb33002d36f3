import { describe, expect, it } from 'vitest';
import { useSandbox } from '../sandbox.ts';
import { compare, createQuery } from './queryHelpers.ts';

const opened = useSandbox();
const { call } = opened;

const sql = (condition: string) => `SELECT id FROM customers WHERE svc.timezone('UTC') AND ${condition} LIMIT 1`;
const execute = async (condition: string) => {
  const { status, body } = await call('AnalyticsService/ExecuteSQL', { sql: sql(condition) });
  return { status, code: body.code, result: body.result?.status };
};
const EMPTY = { status: 200, code: undefined, result: 'ANALYTICS_RESULT_STATUS_EMPTY' };

async function send(operation: string, body: string) {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
  const response = await opened.fetch(`/public-api/publicapi.v1.${operation}`, { method: 'POST', headers, body });
  return [response.status, ((await response.json()) as { code?: string }).code];
}
const REFUSED = { status: 400, code: 'invalid_argument', result: undefined };

describe('large query', () => {
  it.each(['_', '%', 'x'])('returns a result for a contains operand with 25,100 times %s', async (character) => {
    expect(await execute(`contains(title, '${character.repeat(25_100)}')`)).toEqual(EMPTY);
  });

  it.each([
    ['parentheses', `${'('.repeat(10_000)}title = 'x'${')'.repeat(10_000)}`],
    ['conditions', Array(1_000).fill("title = 'x'").join(' OR ')],
    ['an integer', `created_at > ${'9'.repeat(30_000)}`],
  ])('returns an error for too many %s', async (_name, condition) => {
    expect(await execute(condition)).toEqual(REFUSED);
  });

  it.each([100, 5_000, 10_000])('returns an error for %i nested filters', async (levels) => {
    const filter = `${'{"all":{"children":['.repeat(levels)}${JSON.stringify(compare('title', 'EQ', { text: 'x' }))}${']}}'.repeat(levels)}`;
    const query = JSON.stringify(createQuery('customers', { records: { fields: ['id'] } })).replace(/\}$/, `,"filter":${filter}}`);
    expect(await send('AnalyticsService/ExecuteQuery', `{"query":${query}}`)).toEqual([400, 'invalid_argument']);
  });

  it.each([
    ['Contact/ListContacts', [200, undefined]],
    // Rejects unknown fields.
    ['AnalyticsService/ExecuteQuery', [400, 'invalid_argument']],
  ])('returns a result or an error for deeply nested lists in an unknown field of %s', async (operation, expected) => {
    expect(await send(operation, `{"unknown":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toEqual(expected);
  });
});

describe('contains', () => {
  const findTitles = async (text: string) => {
    const query = createQuery('customers', { filter: compare('title', 'CONTAINS', { text }), records: { fields: ['title'] } });
    const { body } = await call('AnalyticsService/ExecuteQuery', { query });
    return (body.result.rows as { cells: { text: string }[] }[]).map(({ cells }) => cells[0]?.text);
  };

  it('ignores the case of A to Z, and has no wildcards for % and _', async () => {
    const { store } = opened.sandbox.world;
    store.run("UPDATE customers SET title = '50%_\\ ÀB Ltd' WHERE rowid = (SELECT min(rowid) FROM main.customers WHERE title <> '')");
    for (const text of ['0%_\\', 'àb lTD', 'Àb', 'ltd'])
      expect(await findTitles(text)).toEqual(text === 'àb lTD' ? [] : [expect.stringContaining('50%_\\')]);
    expect(await findTitles('50__')).toEqual([]);
  });
});
