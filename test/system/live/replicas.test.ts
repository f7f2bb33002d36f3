import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectRedis, type Redis } from '../../../src/lib/redis.ts';
import { RedisBus } from '../../../src/live/redisBus.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { openTcpProxy, type TcpProxy } from '../../support/faults/tcpProxy.ts';
import { redisNote, useRedis } from '../../support/redis.ts';
import { type Subscription, watchAfterFirst } from '../../support/subscribe.ts';
import { postQuery, startTestGraph, type TestGraph } from '../../support/testGraph.ts';

const OWNER = 'demo-owner';
const toId = (index: number) => toGlobalId('Customer', demoId(`customer ${index}`));
const changed = (index: number) => ({
  data: { recordsChanged: { ids: [toId(index)], isTruncated: false, source: 'GRAPH', staleness: null } },
});
const ANYTHING = { data: { recordsChanged: { ids: [], isTruncated: true, source: 'GRAPH', staleness: null } } };

describe.skipIf(!hasRedis)(`replicas that share changes through Redis${redisNote}`, () => {
  const server = useRedis();
  const connections: Redis[] = [];
  /** Between one replica and Redis. */
  let proxy: TcpProxy;
  let one: TestGraph;
  let other: TestGraph;

  const start = async (url: string, transport?: ReturnType<typeof httpTransport>) => {
    const redis = await connectRedis(url, () => {});
    connections.push(redis);
    const bus = await RedisBus.open(redis, () => {});
    return startTestGraph({}, undefined, { env: { LIVE: 'on' }, app: { bus }, redis, ...(transport && { upstream: { transport } }) });
  };
  beforeAll(async () => {
    proxy = await openTcpProxy(Number(new URL(server.url).port));
    one = await start(`redis://127.0.0.1:${proxy.port}`);
    other = await start(server.url, httpTransport({ url: one.sandbox.url, connections: 32 }));
  });
  afterAll(async () => {
    await other?.close();
    await one?.close();
    for (const connection of connections) await connection.close();
    await proxy?.close();
  });

  const watch = async ({ app }: TestGraph): Promise<Subscription> => {
    const subscription = await watchAfterFirst(app.url, OWNER, ['CUSTOMER']);
    onTestFinished(() => subscription.close());
    return subscription;
  };
  const change = async ({ app }: TestGraph, index: number) => {
    const query = `mutation { customerUpdate(input: { customerId: "${toId(index)}", title: "New" }) { __typename ... on MutationError { message } } }`;
    expect((await postQuery(app.url, OWNER, query)).data.customerUpdate.__typename).toBe('CustomerUpdatePayload');
  };

  it('signal each change once, at both', async () => {
    const subscriptions = [await watch(one), await watch(other)];
    for (const [index, replica] of [one, other, one].entries()) {
      await change(replica, index);
      expect(await Promise.all(subscriptions.map((each) => each.next()))).toEqual([changed(index), changed(index)]);
    }
  });

  it('signal their own changes while Redis is down, and everything to each other when it’s back', async () => {
    const [own, others] = [await watch(one), await watch(other)];
    await server.stop();
    await change(one, 0);
    expect(await own.next()).toEqual(changed(0));
    await server.start();
    // One signal for the replaced connection, and one for the change that couldn't be sent.
    expect(await others.next()).toEqual(ANYTHING);
    expect(await own.next()).toEqual(ANYTHING);
    await expect
      .poll(async () => {
        await change(other, 1);
        return own.next();
      })
      .toEqual(changed(1));
  });

  it('signal everything to others if only the replica that makes a change has lost Redis', async () => {
    const others = await watch(other);
    proxy.blackhole();
    proxy.freeze();
    await change(one, 0);
    // The change couldn't be sent.
    await expect.poll(() => connections[0]?.run('return 1', [], []).catch(() => 0)).toBe(0);
    proxy.restore();
    expect(await others.next()).toEqual(ANYTHING);
  });
});
