import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId, openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { type GraphProcess, killAll, startGraph } from '../../support/faults/process.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';
import { watchAfterFirst } from '../../support/subscribe.ts';
import { postQuery } from '../../support/testGraph.ts';

const OWNER = 'demo-owner';
const ID = toGlobalId('Customer', demoId('customer 0'));
const CHANGE = `mutation { customerUpdate(input: { customerId: "${ID}", title: "New" }) { __typename } }`;

describe.skipIf(!hasRedis)(`processes with live updates${redisNote}`, () => {
  const redis = useRedis(true);
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(async () => {
    await killAll();
    await sandbox.close();
  });

  const start = (): Promise<GraphProcess> => startGraph({ UPSTREAM_URL: sandbox.url, LEDGER_URL: redis.url, LIVE: 'on' });

  it('signal changes of each other, and complete subscriptions before they exit', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const subscription = await watchAfterFirst(one.url, OWNER, ['CUSTOMER']);
    onTestFinished(() => subscription.close());
    expect((await postQuery(other.url, OWNER, CHANGE)).errors).toBeUndefined();
    expect((await subscription.next())?.data.recordsChanged.ids).toEqual([ID]);
    const exited = one.terminate();
    expect(await subscription.next()).toBe(null);
    expect([await exited, await other.terminate()]).toEqual([0, 0]);
  });
});
