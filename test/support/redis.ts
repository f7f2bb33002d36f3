import { afterAll, beforeAll } from 'vitest';
import { hasRedis, openRedis, type TestRedis } from './faults/redisProcess.ts';

/** Suffix for the name of a suite. Explains why it's skipped. */
export const redisNote = hasRedis ? '' : ' (skipped: redis-server is not installed)';

/** A Redis server for the tests of one file, started before them and stopped after them. Requires `hasRedis`. */
export function useRedis(isDurable = false) {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    if (hasRedis) redis = await openRedis(isDurable);
  });
  afterAll(() => redis?.close());
  const getRedis = () => {
    if (!redis) throw new Error('redis-server is there only while tests run, where it is installed.');
    return redis;
  };
  return {
    get url() {
      return getRedis().url;
    },
    stop: () => getRedis().stop(),
    start: () => getRedis().start(),
  };
}
