import { describe, expect, it } from 'vitest';
import { InvalidCursorError, QueryTooExpensiveError, UpstreamInvalidError, ValidationError } from '../../../src/failures/failures.ts';
import { computeFingerprint, encodeCursor } from '../../../src/schema/paging/cursors.ts';
import type { WindowArgs } from '../../../src/schema/paging/window.ts';
import { createList, createRow, FINGERPRINT, MemoryIndex, ORDERS, type OrderName, readPage } from './memoryIndex.ts';

const TIME = '2026-03-02T09:00:00Z';
const CELLS = { created: TIME, updated: TIME, canceled: null, size: '5', status: 'OPEN' };
const IDS = ['a', 'b', 'c', 'd'];

/** Reads a page of a list in ascending order. Returns what it executed, too. */
async function read(args: WindowArgs, order: OrderName = 'updated', rows = IDS.map((id) => createRow(id, CELLS)), left = 8) {
  const index = new MemoryIndex(rows);
  const page = readPage(args, createList(index, ORDERS[order].createSegments('ASC'), left));
  const [result] = await Promise.allSettled([page]);
  return { result, executions: index.queries.length };
}

const forge = (parts: unknown, fingerprint = FINGERPRINT) => encodeCursor(JSON.stringify(parts), fingerprint);

/** Cursors of a list with one segment and two timestamps. */
const FORGED: readonly (readonly [string, string])[] = [
  ['that isn’t base64', '%'],
  ['without a position', encodeCursor('', FINGERPRINT)],
  ['of a list by offset', encodeCursor(5, FINGERPRINT)],
  ['that isn’t JSON', encodeCursor('[0,0', FINGERPRINT)],
  ['with broken JSON', encodeCursor('[0,0,]', FINGERPRINT)],
  ['with an object', forge({ 0: 0 })],
  ['of another list', forge([0, 0, 'a', TIME, TIME], computeFingerprint('AnalyticsService/ExecuteQuery offers', {}))],
  ['with a segment that doesn’t exist', forge([1, 0, 'a', TIME, TIME])],
  ['with a negative segment', forge([-1, 0, 'a', TIME, TIME])],
  ['with a fraction of a segment', forge([0.5, 0, 'a', TIME, TIME])],
  ['with a segment by name', forge(['length', 0, 'a', TIME, TIME])],
  ['with too few values', forge([0, 0, 'a', TIME])],
  ['with too many values', forge([0, 0, 'a', TIME, TIME, TIME])],
  ['with a rank that isn’t an integer', forge([0, 1.5, 'a', TIME, TIME])],
  ['with a rank beyond the safe integers', forge([0, 1e300, 'a', TIME, TIME])],
  ['with an ID that isn’t a text', forge([0, 0, 5, TIME, TIME])],
  ['with a value that isn’t a text', forge([0, 0, 'a', TIME, 5])],
  ['with a value that is empty', forge([0, 0, 'a', TIME, ''])],
  ['with an integer instead of a timestamp', forge([0, 0, 'a', '5', TIME])],
  ['with a day that doesn’t exist', forge([0, 0, 'a', '2026-02-30T09:00:00Z', TIME])],
  ['with a time that doesn’t exist', forge([0, 0, 'a', TIME, '2026-03-02T25:00:00Z'])],
  ['with a timestamp followed by text', forge([0, 0, 'a', `${TIME} OR 1=1`, TIME])],
  ['longer than the limit', forge([0, 0, 'a'.repeat(600), TIME, TIME])],
];

describe('cursor', () => {
  it.each(FORGED)('fails before any query if it’s one %s', async (_title, cursor) => {
    for (const args of [
      { first: 2, after: cursor },
      { last: 2, before: cursor },
    ]) {
      const { result, executions } = await read(args);
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(InvalidCursorError) });
      expect(executions).toBe(0);
    }
  });

  it.each(['x', '1.5', '9223372036854775808', '-9223372036854775809', TIME])('fails with the integer %s', async (value) => {
    const { result, executions } = await read({ first: 1, after: forge([0, 0, 'a', value, TIME]) }, 'size');
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(InvalidCursorError) });
    expect(executions).toBe(0);
  });

  it.each(['5', '-5', '9223372036854775807', '-9223372036854775808'])('works with the integer %s', async (value) => {
    expect((await read({ first: 1, after: forge([0, 0, 'a', value, TIME]) }, 'size')).result.status).toBe('fulfilled');
  });

  it('marks the place of a row that no longer exists', async () => {
    const { result } = await read({ first: 2, after: forge([0, 7, 'bb', TIME, TIME]) });
    expect(result).toMatchObject({ status: 'fulfilled', value: { rows: [{ id: 'c' }, { id: 'd' }], hasNextPage: false } });
  });

  it('marks the same place with a wrong rank', async () => {
    for (const rank of [-5, 0, 99, 500, Number.MAX_SAFE_INTEGER]) {
      const { result } = await read({ first: 1, after: forge([0, rank, 'b', TIME, TIME]) });
      expect(result).toMatchObject({ status: 'fulfilled', value: { rows: [{ id: 'c' }], hasNextPage: true } });
    }
  });

  it('skips the segments before its row', async () => {
    const rows = [createRow('a', { ...CELLS, canceled: TIME }), createRow('b', CELLS), createRow('c', CELLS)];
    const { result, executions } = await read({ first: 5, after: forge([1, 0, 'b', TIME]) }, 'canceled', rows);
    expect([result, executions]).toMatchObject([{ value: { rows: [{ id: 'c' }] } }, 1]);
  });

  it.each(['é', 'Ａ', '😀', '"\\', '日本語'.repeat(20)])('works with the ID %s', async (id) => {
    const rows = ['!', id].map((each) => createRow(each, CELLS));
    const { result } = await read({ first: 1 }, 'updated', rows);
    if (result.status === 'rejected') throw result.reason;
    const after = encodeCursor(result.value.offsets[0] ?? '', FINGERPRINT);
    expect((await read({ first: 1, after }, 'updated', rows)).result).toMatchObject({ value: { rows: [{ id }], hasNextPage: false } });
    const before = forge([0, 0, id, TIME, TIME]);
    expect((await read({ last: 1, before }, 'updated', rows)).result).toMatchObject({ value: { rows: [{ id: '!' }] } });
  });

  it('contains fractions of a second in the upstream’s spelling', async () => {
    const time = '2026-03-02T09:00:00.120+01:00';
    const rows = IDS.map((id) => createRow(id, { ...CELLS, updated: time }));
    const { result } = await read({ first: 1 }, 'updated', rows);
    expect(result).toMatchObject({ value: { offsets: [JSON.stringify([0, 0, 'a', time, TIME])] } });
    const next = await read({ first: 1, after: forge([0, 0, 'a', time, TIME]) }, 'updated', rows);
    expect(next.result).toMatchObject({ value: { rows: [{ id: 'b' }] } });
  });
});

const AFTER = forge([0, 0, 'a', TIME, TIME]);

describe('pagination arguments', () => {
  it.each([
    [{ last: 1, after: AFTER }, ['after'], 'NOT_ALLOWED'],
    [{ before: AFTER }, ['before'], 'NOT_ALLOWED'],
    [{ first: 1, before: AFTER }, ['before'], 'NOT_ALLOWED'],
    [{ first: 1, last: 1 }, ['last'], 'NOT_ALLOWED'],
    [{ first: -1 }, ['first'], 'OUT_OF_RANGE'],
    [{ last: 101 }, ['last'], 'OUT_OF_RANGE'],
  ])('%j are rejected before any query', async (args, path, code) => {
    const { result, executions } = await read(args);
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ValidationError) });
    expect(result).toMatchObject({ reason: { issues: [{ path, code }] } });
    expect(executions).toBe(0);
  });

  it('default to the first 25 rows', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => createRow(`row ${10 + index}`, CELLS));
    const { result } = await read({}, 'updated', rows);
    expect(result).toMatchObject({ value: { rows: rows.slice(0, 25).map(({ id }) => ({ id })), hasNextPage: true } });
  });

  it('select the last rows of the list without a cursor', async () => {
    expect((await read({ last: 2 })).result).toMatchObject({
      value: { rows: [{ id: 'c' }, { id: 'd' }], hasNextPage: false, hasPreviousPage: true },
    });
  });
});

describe('page', () => {
  it('fails without a budget instead of ending the list', async () => {
    const { result, executions } = await read({ first: 2 }, 'updated', [], 0);
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(QueryTooExpensiveError) });
    expect(executions).toBe(0);
  });

  it('needs one query for each segment if there are no rows', async () => {
    const { result, executions } = await read({ first: 2 }, 'status', []);
    expect([result, executions]).toMatchObject([{ value: { rows: [], hasNextPage: false, hasPreviousPage: false } }, 3]);
  });

  it('takes its executions from the budget of the operation', async () => {
    const index = new MemoryIndex([]);
    const list = createList(index, ORDERS.status.createSegments('DESC'), 5);
    await readPage({ first: 1 }, list);
    expect(list.budget.left).toBe(2);
  });

  it('shares the budget with pages that are read at the same time', async () => {
    const index = new MemoryIndex([]);
    const list = createList(index, ORDERS.status.createSegments('DESC'), 4);
    const pages = await Promise.allSettled([readPage({ first: 1 }, list), readPage({ first: 1 }, list)]);
    expect(pages.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([index.queries.length, list.budget.left]).toEqual([4, 0]);
  });

  it.each([
    ['aren’t sorted by ID', ['b', 'a'], CELLS],
    ['are repeated', ['a', 'a'], CELLS],
    ['have no ID', [''], CELLS],
    ['have no sort value', ['a'], { ...CELLS, updated: null }],
  ])('fails if rows of the upstream %s', async (_title, ids, cells) => {
    const execute = async () => ({ rows: ids.map((id) => createRow(id, cells)), isTruncated: false });
    const page = readPage({ first: 5 }, createList({ execute }, ORDERS.updated.createSegments('ASC')));
    await expect(page).rejects.toBeInstanceOf(UpstreamInvalidError);
  });
});
