import { expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { watchAfterFirst, watchRecords } from '../../support/subscribe.ts';
import { parseSeries, scrape } from '../../support/telemetry/scrape.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, { env: { LIVE: 'on', ADMIN_PORT: '0' } });
const countOpen = async () => parseSeries(await scrape(testGraph.adminUrl)).get('live_subscriptions');
const ID = toGlobalId('Customer', demoId('customer 0'));
const CHANGE = 'mutation { customerCreate(input: { title: "New" }) { __typename } }';

it('rejects the 501st subscription of an instance until others end, leaves the last 100 to keys without one, and sends a change to all', async () => {
  const open = (key: string) => watchAfterFirst(testGraph.url, key, ['CUSTOMER'], [ID]);
  const createKeys = (count: number) => Array.from({ length: count }, () => makeKey(testGraph.sandbox.world));
  const keys = createKeys(39);
  const many = await Promise.all(keys.flatMap((key) => Array.from({ length: 10 }, () => open(key))));
  const all = await Promise.all(Array.from({ length: 10 }, () => watchAfterFirst(testGraph.url, 'demo-owner', ['CUSTOMER'])));
  const expectRejected = async (key: string) => {
    const rejected = await watchRecords(testGraph.url, key, ['CUSTOMER'], [ID]);
    expect(await rejected.next()).toMatchObject({ errors: [{ extensions: { code: 'OVERLOADED' } }] });
  };
  const others = createKeys(100);
  const single = await Promise.all(others.slice(1).map(open));
  many.pop()?.close();
  await expect.poll(countOpen).toBe(498);
  await expectRejected(keys.at(-1) ?? '');
  many.push(...(await Promise.all([others[0] ?? '', ...createKeys(1)].map(open))));
  expect(await countOpen()).toBe(500);
  await expectRejected(makeKey(testGraph.sandbox.world));
  const subscriptions = [...many, ...single];
  await testGraph.execute(CHANGE);
  const changes = await Promise.all(all.map((subscription) => subscription.next()));
  expect(new Set(changes.map((change) => change?.data.recordsChanged.ids.length))).toEqual(new Set([1]));
  for (const subscription of [...subscriptions, ...all]) subscription.close();
  await expect.poll(countOpen).toBe(0);
  (await watchAfterFirst(testGraph.url, 'demo-owner', ['CUSTOMER'])).close();
  await expect.poll(countOpen).toBe(0);
});
