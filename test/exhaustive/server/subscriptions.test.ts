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

it('rejects the 501st subscription of an instance until others end, and sends a change to all', async () => {
  const openTen = async () => {
    const key = makeKey(testGraph.sandbox.world);
    return Promise.all(Array.from({ length: 10 }, () => watchAfterFirst(testGraph.url, key, ['CUSTOMER'], [ID])));
  };
  const subscriptions = (await Promise.all(Array.from({ length: 49 }, openTen))).flat();
  const all = await Promise.all(Array.from({ length: 10 }, () => watchAfterFirst(testGraph.url, 'demo-owner', ['CUSTOMER'])));
  expect(await countOpen()).toBe(500);
  const rejected = await watchRecords(testGraph.url, makeKey(testGraph.sandbox.world), ['CUSTOMER'], [ID]);
  expect(await rejected.next()).toMatchObject({ errors: [{ extensions: { code: 'OVERLOADED' } }] });
  await testGraph.execute(CHANGE);
  const changes = await Promise.all(all.map((subscription) => subscription.next()));
  expect(new Set(changes.map((change) => change?.data.recordsChanged.ids.length))).toEqual(new Set([1]));
  for (const subscription of [...subscriptions, ...all]) subscription.close();
  await expect.poll(countOpen).toBe(0);
  (await watchAfterFirst(testGraph.url, 'demo-owner', ['CUSTOMER'])).close();
  await expect.poll(countOpen).toBe(0);
});
