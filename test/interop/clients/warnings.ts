import { afterEach, beforeEach, expect, vi } from 'vitest';

/**
 * Fails each test of a file in which something warns on the console: that is where client libraries say that answers do not fit them.
 * Answers a function that takes out the warnings so far, for a test that expects some.
 */
export function refuseWarnings(): () => unknown[][] {
  const spies = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')].map((spy) => spy.mockImplementation(() => {}));
  const take = () =>
    spies.flatMap((spy) => {
      const { calls } = spy.mock;
      spy.mockClear();
      return calls;
    });
  beforeEach(() => {
    take();
  });
  afterEach(() => expect(take()).toEqual([]));
  return take;
}
