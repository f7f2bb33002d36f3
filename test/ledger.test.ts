import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger, type LedgerUse } from '../src/ledger/ledger.ts';
import { MemoryLedgerStore } from '../src/ledger/memoryStore.ts';
import {
  IdempotencyKeyReusedError,
  NotFoundError,
  OperationInProgressError,
  OutcomeUnknownError,
  RateLimitedError,
} from '../src/upstream/errors.ts';
import { AdjustInventory, CreateContact } from '../src/upstream/generated/operations.ts';

const HOUR_MS = 60 * 60 * 1000;

const use = (traits: Partial<LedgerUse> = {}): LedgerUse => ({
  apiKey: 'a key',
  workspaceId: 'workspace',
  operation: CreateContact,
  idempotencyKey: 'key',
  request: { lastName: 'Adler' },
  ...traits,
});

const lost = () => new OutcomeUnknownError(CreateContact.name, new Date(), null, 'Look.');

/** An upstream that counts its effects. */
function upstream() {
  const effects: number[] = [];
  return {
    effects,
    ok: async () => {
      effects.push(effects.length + 1);
      return { id: effects.length };
    },
    lostAfter: async (): Promise<{ id: number }> => {
      effects.push(effects.length + 1);
      throw lost();
    },
  };
}

const fail = (error: Error) => async (): Promise<object> => {
  throw error;
};

describe('the ledger', () => {
  it('sends once when a hundred ask at once', async () => {
    const ledger = new Ledger(new MemoryLedgerStore());
    const { effects, ok } = upstream();
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const asked = Array.from({ length: 100 }, () => ledger.once(use(), () => answered.then(ok)));
    const settled = Promise.allSettled(asked);
    answer();
    const results = await settled;
    expect(effects).toEqual([1]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(refusals.every((reason) => reason instanceof OperationInProgressError && reason.retryAfterSeconds > 0)).toBe(true);
    expect(await ledger.once(use(), ok)).toMatchObject({ answer: { id: 1 }, isReplay: true });
  });

  it('answers a repeat with the first answer, whatever the order of its members', async () => {
    const ledger = new Ledger(new MemoryLedgerStore());
    const { effects, ok } = upstream();
    const first = await ledger.once(use({ request: { a: 1, b: { c: [1, 2], d: undefined } } }), ok);
    const again = await ledger.once(use({ request: { b: { c: [1, 2] }, a: 1 } }), ok);
    expect(again).toEqual({ ...first, isReplay: true });
    expect(effects).toEqual([1]);
  });

  it.each([
    ['another value', { lastName: 'Bauer' }],
    ['another member', { lastName: 'Adler', email: '' }],
    ['another order of a list', { lastName: 'Adler', list: [2, 1] }],
  ])('refuses a repeat with %s', async (_name, request) => {
    const ledger = new Ledger(new MemoryLedgerStore());
    const { effects, ok } = upstream();
    await ledger.once(use(), ok);
    await expect(ledger.once(use({ request }), ok)).rejects.toThrow(IdempotencyKeyReusedError);
    expect(effects).toEqual([1]);
  });

  it('keeps workspaces, operations and keys apart', async () => {
    const ledger = new Ledger(new MemoryLedgerStore());
    const { effects, ok } = upstream();
    const uses = [
      use(),
      use({ apiKey: 'another key', workspaceId: 'another' }),
      use({ apiKey: 'a third key', workspaceId: null }),
      use({ operation: AdjustInventory }),
      use({ idempotencyKey: 'other' }),
      use({ apiKey: 'x', workspaceId: 'a', idempotencyKey: 'b"],["c' }),
      use({ apiKey: 'y', workspaceId: 'a"],["b', idempotencyKey: 'c' }),
    ];
    for (const each of uses) expect((await ledger.once(each, ok)).isReplay).toBe(false);
    expect(effects).toHaveLength(uses.length);
  });

  it('knows its key again whether or not the upstream tells the workspace', async () => {
    for (const [first, second] of [
      ['workspace', null],
      [null, 'workspace'],
    ] as const) {
      const ledger = new Ledger(new MemoryLedgerStore());
      const { effects, ok } = upstream();
      await ledger.once(use({ workspaceId: first }), ok);
      expect((await ledger.once(use({ workspaceId: second }), ok)).isReplay).toBe(true);
      expect(effects).toEqual([1]);
    }
  });

  it('does not do again what another API key of the workspace did, and does not show it what came of it', async () => {
    const ledger = new Ledger(new MemoryLedgerStore());
    const { effects, ok } = upstream();
    await ledger.once(use(), ok);
    await expect(ledger.once(use({ apiKey: 'renewed' }), ok)).rejects.toThrow('used before with another API key');
    expect(effects).toEqual([1]);
  });

  it.each([
    ['a refusal', new NotFoundError('No.')],
    ['too many calls', new RateLimitedError(1)],
  ])('lets the key be used again after %s', async (_name, error) => {
    const ledger = new Ledger(new MemoryLedgerStore());
    const { effects, ok } = upstream();
    await expect(ledger.once(use(), fail(error))).rejects.toBe(error);
    expect(await ledger.once(use({ request: { lastName: 'Corrected' } }), ok)).toMatchObject({ isReplay: false });
    expect(effects).toEqual([1]);
  });

  it.each([
    ['a lost answer', lost()],
    ['a failure of our own', new TypeError('boom')],
  ])('never sends again after %s', async (_name, error) => {
    const ledger = new Ledger(new MemoryLedgerStore());
    const { effects, ok } = upstream();
    await expect(ledger.once(use(), fail(error))).rejects.toThrow();
    await expect(ledger.once(use(), ok)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', idempotencyKey: 'key' });
    await expect(ledger.once(use({ request: {} }), ok)).rejects.toThrow(IdempotencyKeyReusedError);
    expect(effects).toEqual([]);
  });

  it('never lets one key have two effects, in whatever order things happen', async () => {
    const outcome = fc.constantFrom('ok', 'refused', 'lost before', 'lost after', 'broken');
    const scenario = fc.array(fc.record({ outcome, key: fc.constantFrom('a', 'b'), input: fc.constantFrom('x', 'y') }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(scenario, fc.scheduler(), async (steps, scheduler) => {
        const ledger = new Ledger(new MemoryLedgerStore());
        const effects: { key: string; input: string }[] = [];
        const sends: Record<(typeof steps)[number]['outcome'], (effect: { key: string; input: string }) => object> = {
          ok: (effect) => ({ made: effects.push(effect) }),
          refused: () => {
            throw new NotFoundError('No.');
          },
          'lost before': () => {
            throw lost();
          },
          'lost after': (effect) => {
            effects.push(effect);
            throw lost();
          },
          broken: () => {
            throw new TypeError('boom');
          },
        };
        const running = steps.map(({ outcome: kind, key, input }) =>
          scheduler.schedule(Promise.resolve()).then(() =>
            ledger
              .once(use({ idempotencyKey: key, request: { input } }), async () => {
                await scheduler.schedule(Promise.resolve());
                return sends[kind]({ key, input });
              })
              .then(
                ({ answer }) => ({ key, input, answer }),
                () => null,
              ),
          ),
        );
        await scheduler.waitFor(Promise.all(running));
        for (const key of ['a', 'b']) {
          const made = effects.filter((effect) => effect.key === key);
          expect(made.length).toBeLessThanOrEqual(1);
          const answers = (await Promise.all(running)).filter((result) => result?.key === key);
          expect(new Set(answers.map((result) => JSON.stringify(result))).size).toBeLessThanOrEqual(1);
          if (answers.length > 0) expect(made).toEqual([{ key, input: answers[0]?.input }]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the memory store', () => {
  it('forgets after a day, and not before', async () => {
    let ahead = 0;
    const ledger = new Ledger(new MemoryLedgerStore(() => Date.now() + ahead));
    const { effects, ok } = upstream();
    await ledger.once(use(), ok);
    ahead = 24 * HOUR_MS - 60_000;
    expect((await ledger.once(use(), ok)).isReplay).toBe(true);
    ahead = 24 * HOUR_MS + 60_000;
    expect((await ledger.once(use(), ok)).isReplay).toBe(false);
    expect(effects).toEqual([1, 2]);
  });

  it('forgets unknown outcomes after a day, too, and what is running never', async () => {
    let ahead = 0;
    const ledger = new Ledger(new MemoryLedgerStore(() => Date.now() + ahead));
    const { ok, lostAfter } = upstream();
    await expect(ledger.once(use({ idempotencyKey: 'lost' }), lostAfter)).rejects.toThrow(OutcomeUnknownError);
    let answer: () => void = () => {};
    const running = ledger.once(use(), () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      }).then(ok),
    );
    ahead = 25 * HOUR_MS;
    await expect(ledger.once(use(), ok)).rejects.toThrow(OperationInProgressError);
    expect((await ledger.once(use({ idempotencyKey: 'lost' }), ok)).isReplay).toBe(false);
    answer();
    expect((await running).isReplay).toBe(false);
  });
});
