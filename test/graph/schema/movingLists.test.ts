import { beforeEach, describe, expect, it } from 'vitest';
import { quoteTable } from '../../../sandbox/sales/quotes.ts';
import { post } from '../../sandbox/sandbox.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createQuote } = createQuoting(testGraph);

const QUOTES = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $filter: QuoteFilterInput) {
  customer(id: $id) {
    quotes(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      nodes { rawId }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

const DISCARD = 'mutation ($quoteId: ID!) { quoteDiscard(input: { quoteId: $quoteId }) { __typename } }';

const CONCEPTS = { filter: { statuses: ['CONCEPT'] } };
const LIST = 'Quote/ListQuotes';

interface Quotes {
  readonly ids: string[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string;
  readonly endCursor: string;
}

let customer = '';

async function tryRead(args: object): Promise<{ readonly code: unknown; readonly quotes: Quotes }> {
  const { data, errors } = await testGraph.execute(QUOTES, { id: customer, ...args });
  const { nodes = [], pageInfo } = data?.customer?.quotes ?? {};
  return { code: errors?.[0]?.extensions.code, quotes: { ids: nodes.map(({ rawId }: { rawId: string }) => rawId), ...pageInfo } };
}

async function read(args: object): Promise<Quotes> {
  const { code, quotes } = await tryRead(args);
  expect(code).toBeUndefined();
  return quotes;
}

const discard = (quoteId: string | undefined) => testGraph.execute(DISCARD, { quoteId });

/** Adds a draft quote to the customer, dated `minutes` from now. */
function add(id: string, minutes: number): void {
  const { store } = testGraph.sandbox.world;
  const template = store.get<Record<string, string>>("SELECT * FROM quotes WHERE order_id = '' LIMIT 1");
  const { rowid: _own, ...columns } = template ?? {};
  const at = testGraph.sandbox.now + minutes * 60;
  quoteTable.insert(store, { ...columns, id, customer_id: customer, status: 1, created_at: at, updated_at: at } as never);
}

const remove = (id: string | undefined) => testGraph.sandbox.world.store.run('DELETE FROM quotes WHERE id = :id', { id: id ?? '' });

let count = 0;

/** Adds `length` drafts to the customer, one per minute. Returns their IDs, newest first. */
function addMany(length: number): string[] {
  const ids = Array.from({ length }, (_, index) => `quote-${count}-${index}`);
  for (const [index, id] of ids.entries()) add(id, -index - 1);
  return ids;
}

beforeEach(async () => {
  count += 1;
  const { body } = await post(testGraph.sandbox.url, 'demo-owner', 'Customer/CreateCustomer', {
    title: 'Quotes that move',
    customFields: {},
  });
  customer = body.customer.id;
});

describe('pagination through drafts', () => {
  it('visits every draft with one call per page if each is discarded', async () => {
    const ids = addMany(63);
    const visited: string[] = [];
    const [, calls] = await testGraph.recordCalls(async () => {
      for (let after: string | null = null; ; ) {
        const page: Quotes = await read({ ...CONCEPTS, first: 2, after });
        visited.push(...page.ids);
        for (const id of page.ids) await discard(id);
        if (!page.hasNextPage) return;
        after = page.endCursor;
      }
    });
    expect(visited).toEqual(ids);
    expect(calls.filter((name) => name === LIST)).toHaveLength(32);
  });

  it('visits every draft backwards', async () => {
    const ids = addMany(23);
    const whole = await read({ ...CONCEPTS, first: 100 });
    const visited: string[] = [];
    for (let before = whole.endCursor; ; ) {
      const page = await read({ ...CONCEPTS, last: 4, before });
      visited.unshift(...page.ids);
      for (const id of page.ids) await discard(id);
      if (!page.hasPreviousPage) break;
      before = page.startCursor;
    }
    expect(visited).toEqual(ids.slice(0, -1));
  });

  it('visits every draft if all have the same timestamp', async () => {
    const ids = Array.from({ length: 11 }, (_, index) => `tied-${index}`);
    for (const id of ids) add(id, 0);
    const visited: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: Quotes = await read({ ...CONCEPTS, first: 2, after });
      visited.push(...page.ids);
      for (const id of page.ids) await discard(id);
      if (!page.hasNextPage) break;
      after = page.endCursor;
    }
    expect(visited.toSorted()).toEqual(ids.toSorted());
  });
});

describe('list that grows at its start', () => {
  it.each([10, 25, 100])('repeats no row on pages of %i', async (first) => {
    const ids = addMany(250);
    const page = await read({ first });
    const created = (await createQuote({ customerId: customer })).rawId;
    const [next, calls] = await testGraph.recordCalls(() => read({ first, after: page.endCursor }));
    expect([...page.ids, ...next.ids]).toEqual(ids.slice(0, 2 * first));
    // The second call is for the row that has moved from the first page.
    expect(calls).toEqual([LIST, LIST]);
    expect((await read({ first: 1 })).ids).toEqual([created]);
  });

  it('costs no additional calls while nothing changes', async () => {
    const ids = addMany(250);
    for (const first of [1, 10, 24, 25, 50, 99, 100]) {
      const visited: string[] = [];
      const [, calls] = await testGraph.recordCalls(async () => {
        for (let after: string | null = null; ; ) {
          const page: Quotes = await read({ first, after });
          visited.push(...page.ids);
          if (!page.hasNextPage) return;
          after = page.endCursor;
        }
      });
      expect({ first, visited }).toEqual({ first, visited: ids });
      expect({ first, calls: calls.length }).toEqual({ first, calls: Math.ceil(ids.length / first) });
    }
  }, 120_000);
});

describe('page after a cursor', () => {
  /** An aligned page and an unaligned page. */
  it.each([
    [20, 20],
    [20, 7],
  ])('remains stable after %i rows, with %i rows, while other rows are added and removed', async (first, size) => {
    const ids = addMany(120);
    const { endCursor: after } = await read({ first });
    const expected = ids.slice(first, first + size);
    const readNext = () => testGraph.recordCalls(() => read({ first: size, after }));
    const oneCall = [{ ids: expected, hasNextPage: true, hasPreviousPage: true }, [LIST]];
    expect(await readNext()).toMatchObject(oneCall);
    // Before the cursor.
    add(`new-${count}`, -5.5);
    expect((await readNext())[0].ids).toEqual(expected);
    remove(ids[2]);
    remove(ids[3]);
    expect((await readNext())[0].ids).toEqual(expected);
    // Next to the cursor.
    remove(ids[first - 1]);
    expect((await readNext())[0].ids).toEqual(expected);
    // After it.
    remove(ids[first]);
    expect((await readNext())[0].ids).toEqual(ids.slice(first + 1, first + 1 + size));
    add(`newer-${count}`, -first - 1.5);
    expect((await readNext())[0].ids).toEqual([`newer-${count}`, ...ids.slice(first + 1, first + size)]);
  });

  it('starts at the right row if the list has become shorter than the cursor’s offset', async () => {
    const ids = addMany(120);
    const { endCursor: after } = await read({ first: 100 });
    testGraph.sandbox.world.store.run("DELETE FROM quotes WHERE customer_id = :customer AND id NOT LIKE '%-119' AND id NOT LIKE '%-115'", {
      customer,
    });
    const [page, calls] = await testGraph.recordCalls(() => read({ first: 10, after }));
    expect(page).toMatchObject({ ids: [ids[115], ids[119]], hasNextPage: false, hasPreviousPage: false });
    expect(calls.length).toBeLessThanOrEqual(3);
  });

  it('starts at the offset of a cursor from a release without anchors', async () => {
    const ids = addMany(30);
    const { endCursor } = await read({ first: 10 });
    const [legacyCursor = ''] = endCursor.split('=');
    expect(Buffer.from(legacyCursor, 'base64url').toString()).toMatch(/^1:9:[\w-]{8}$/);
    expect((await read({ first: 5, after: legacyCursor })).ids).toEqual(ids.slice(10, 15));
    await discard(ids[0]);
    expect((await read({ ...CONCEPTS, first: 5 })).ids).toEqual(ids.slice(1, 6));
  });

  it('returns INVALID_CURSOR without a call if the cursor has been changed', async () => {
    addMany(5);
    const { endCursor } = await read({ first: 2 });
    for (const suffix of ['!', 'a', '.', '=', '.zz', 'x'.repeat(80)]) {
      const [{ code }, calls] = await testGraph.recordCalls(() => tryRead({ first: 2, after: endCursor + suffix }));
      expect({ suffix, code, calls }).toEqual({ suffix, code: 'INVALID_CURSOR', calls: [] });
    }
  });
});

describe('`last` without `before`', () => {
  it('returns the end of a list that fits into one call', async () => {
    const ids = addMany(99);
    const [page, calls] = await testGraph.recordCalls(() => read({ last: 3 }));
    expect(page).toMatchObject({ ids: ids.slice(-3), hasNextPage: false, hasPreviousPage: true });
    expect(calls).toEqual([LIST]);
    expect(await read({ last: 3, before: page.startCursor })).toMatchObject({ ids: ids.slice(-6, -3), hasNextPage: true });
    expect((await read({ last: 100, after: page.startCursor })).ids).toEqual(ids.slice(-2));
  });

  it('returns BAD_USER_INPUT for a longer list', async () => {
    addMany(101);
    const [{ code }, calls] = await testGraph.recordCalls(() => tryRead({ last: 3 }));
    expect({ code, calls }).toEqual({ code: 'BAD_USER_INPUT', calls: [LIST] });
  });
});

describe('list with an unknown sort order', () => {
  const CONTACTS = `query ($first: Int, $after: String) {
    contacts(first: $first, after: $after) { nodes { rawId } pageInfo { endCursor } }
  }`;

  const contacts = async (args: object) => {
    const { data, errors } = await testGraph.execute(CONTACTS, args);
    return {
      ids: (data.contacts?.nodes ?? []).map(({ rawId }: { rawId: string }) => rawId) as string[],
      after: data.contacts?.pageInfo.endCursor as string,
      code: errors?.[0]?.extensions.code,
    };
  };
  const rename = (id: string | undefined, lastName: string) =>
    testGraph.sandbox.world.store.run('UPDATE contacts SET last_name = :lastName WHERE id = :id', { id: id ?? '', lastName });

  it('continues correctly after rows that have moved together', async () => {
    const { ids } = await contacts({ first: 12 });
    const { after } = await contacts({ first: 6 });
    rename(ids[2], 'Zzz');
    const [next, calls] = await testGraph.recordCalls(() => contacts({ first: 6, after }));
    expect({ next: next.ids, calls }).toEqual({ next: ids.slice(6, 12), calls: ['Contact/ListContacts'] });
  });

  it('returns INVALID_CURSOR if the row of the cursor has moved', async () => {
    const { after, ids } = await contacts({ first: 6 });
    rename(ids[5], 'Aaa');
    const [next, calls] = await testGraph.recordCalls(() => contacts({ first: 6, after }));
    expect(next).toMatchObject({ ids: [], code: 'INVALID_CURSOR' });
    expect(new Set(calls)).toEqual(new Set(['Contact/ListContacts']));
    expect(calls.length).toBeLessThanOrEqual(5);
  });
});
