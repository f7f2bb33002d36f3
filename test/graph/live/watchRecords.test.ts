import { expect, it, onTestFinished } from 'vitest';
import { type LiveType, type RecordsChanged, type WatchError, watchRecords } from '../../../client/src/live/index.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, { env: { LIVE: 'on' } });
const disabled = useTestGraph();

const ID = toGlobalId('Customer', demoId('customer 0'));
const CHANGE = `mutation { customerUpdate(input: { customerId: "${ID}", title: "New" }) { __typename } }`;

/** Watches records with the client package. */
function watch(url: string, key: string, types: readonly LiveType[] = ['CUSTOMER']) {
  const changes: RecordsChanged[] = [];
  const errors: WatchError[] = [];
  const stop = watchRecords({
    url: `${url}/graphql`,
    types,
    headers: () => ({ authorization: `Bearer ${key}` }),
    onChange: (change) => void changes.push(change),
    onError: (error) => void errors.push(error),
    wait: async () => {},
  });
  onTestFinished(stop);
  return { changes, errors };
}

it('calls onChange of the client package for each change', async () => {
  const { changes, errors } = watch(testGraph.url, 'demo-owner');
  await expect.poll(() => changes).toMatchObject([{ isTruncated: true }]);
  await testGraph.execute(CHANGE);
  await expect.poll(() => changes[1]).toEqual({ ids: [ID], isTruncated: false, source: 'GRAPH', staleness: null });
  expect(errors).toEqual([]);
});

it.each([
  ['LIVE_UPDATES_DISABLED', () => watch(disabled.url, 'demo-owner')],
  ['UNAUTHENTICATED', () => watch(testGraph.url, 'demo-revoked')],
  ['FORBIDDEN', () => watch(testGraph.url, makeKey(testGraph.sandbox.world, { scopes: ['me:read'] }))],
])('calls onError of the client package for %s', async (code, start) => {
  const { changes, errors } = start();
  await expect.poll(() => errors).toMatchObject([{ errors: [{ extensions: { code } }] }]);
  expect(changes).toEqual([]);
});
