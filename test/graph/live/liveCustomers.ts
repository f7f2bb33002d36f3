import { afterEach } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { type Subscription, watchAfterFirst, watchRecords } from '../../support/subscribe.ts';
import type { useTestGraph } from '../../support/testGraph.ts';

export const OWNER = 'demo-owner';

export const customerId = (index: number) => demoId(`customer ${index}`);
export const toId = (index: number) => toGlobalId('Customer', customerId(index));

/** The result of a subscription when these records have changed. */
export const signal = (...ids: readonly string[]) => ({
  data: { recordsChanged: { ids, isTruncated: false, source: 'GRAPH', staleness: null } },
});
/** The result that reports that anything may have changed. */
export const ANYTHING = { data: { recordsChanged: { ids: [], isTruncated: true, source: 'GRAPH', staleness: null } } };

/** Subscriptions to customers and changes of these, by keys whose rights can change. Subscriptions and faults end after each test. */
export function useLiveCustomers(testGraph: ReturnType<typeof useTestGraph>) {
  const opened: Subscription[] = [];
  afterEach(() => {
    for (const subscription of opened.splice(0)) subscription.close();
    testGraph.sandbox.faults.clear();
  });

  /** Opens a subscription, and reads its first signal. */
  const watch = async (key: string, ids?: readonly string[], types = ['CUSTOMER']): Promise<Subscription> => {
    const subscription = await watchAfterFirst(testGraph.url, key, types, ids);
    opened.push(subscription);
    return subscription;
  };

  /** Tries to open a subscription. Returns its error. */
  const getRejection = async (key: string, ids?: readonly string[], types = ['CUSTOMER']) => {
    const subscription = await watchRecords(testGraph.url, key, types, ids);
    opened.push(subscription);
    return (await subscription.next())?.errors?.[0];
  };

  let changes = 0;
  const change = (index = 0, key = OWNER) => {
    changes += 1;
    const input = { customerId: customerId(index), title: `Title ${changes}` };
    return testGraph.executeAs(key, 'mutation ($input: CustomerUpdateInput!) { customerUpdate(input: $input) { __typename } }', { input });
  };

  const run = (sql: string, bindings: Record<string, string>) => void testGraph.sandbox.world.store.run(sql, bindings);
  /** A key whose member has a role and a Customer View of its own. */
  const makeMemberKey = () => makeKey(testGraph.sandbox.world, { view: { customers: 'all' } });
  const restrictView = (key: string) => run(`UPDATE customer_views SET customers = 'teams' WHERE id = :id`, { id: `view ${key}` });
  const restrictScopes = (key: string, scopes: readonly string[]) =>
    run('UPDATE api_keys SET scopes = :scopes WHERE name = :key', { key, scopes: JSON.stringify(scopes) });

  return { watch, getRejection, change, run, makeMemberKey, restrictView, restrictScopes };
}
