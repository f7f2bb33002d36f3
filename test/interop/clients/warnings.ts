import { afterEach, beforeEach, expect, vi } from 'vitest';

/**
 * Fails each test of a file that logs a console warning, because client libraries warn about responses that don't match their documents. Returns a function that returns and clears the warnings so far, for a test that expects some.
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
