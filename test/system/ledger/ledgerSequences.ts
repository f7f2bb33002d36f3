import { expect, it } from 'vitest';
import { type ApiError, invalidInput, NotFoundError, RateLimitedError, ValidationError } from '../../../src/failures/failures.ts';
import type { Ledger, LedgerOutcome } from '../../../src/ledger/ledger.ts';
import { TestClock } from '../../support/clock.ts';
import { fc } from '../../support/seeded.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';
import {
  type CreatedRecord,
  createLostError,
  createUse,
  failUnexpectedly,
  LEASE_MS,
  type LedgerKind,
  useLedgers,
} from './ledgerFixture.ts';

/** Errors by which a client knows that nothing was applied. */
const FAILURES = [NotFoundError, RateLimitedError, ValidationError];

const PROBLEM = invalidInput(['quantity'], 'OUT_OF_RANGE', 'must not be 0.');

/** Tests random sequences of events of two processes over one store. */
export function testLedgerSequences(kind: LedgerKind): void {
  const { openLedgers } = useLedgers(kind);

  it(
    'never applies a key twice, or returns a wrong result or failure, for any sequence of events',
    async () => {
      const outcome = fc.constantFrom(
        ...['ok', 'refused', 'lost before', 'lost after', 'broken', 'crash before', 'crash after'],
        ...['invalid', 'unprepared', 'unsent'],
      );
      const step = fc.record({
        outcome,
        key: fc.constantFrom('a', 'b'),
        input: fc.constantFrom('x', 'y'),
        process: fc.nat(1),
        later: fc.constantFrom(0, 1_000, LEASE_MS),
      });
      let seen = 0;
      let runs = 0;
      const clock = new TestClock();
      const processes = await openLedgers(2, clock);
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 12 }),
          fc.boolean(),
          fc.scheduler(),
          async (steps, isDeduplicatedUpstream, scheduler) => {
            // Each run uses its own keys.
            runs += 1;
            const createKey = (name: string) => `${name} ${runs}`;
            const effects: { readonly key: string; readonly input: string }[] = [];
            const outcomes: {
              readonly key: string;
              readonly input: string;
              readonly outcome: LedgerOutcome<CreatedRecord> | ApiError | undefined;
              /** Whether its write had been applied before it started. */
              readonly wasApplied: boolean;
            }[] = [];
            const getApplied = (key: string) => effects.findIndex((effect) => effect.key === key) + 1;
            const running = steps.map(({ outcome: kindOf, key, input, process, later }) =>
              scheduler.schedule(Promise.resolve(), `${key}${input} ${kindOf}`).then(async () => {
                clock.now += later;
                const died = Promise.withResolvers<undefined>();
                const send = async (onUnsent: () => void): Promise<CreatedRecord> => {
                  await scheduler.schedule(Promise.resolve(), 'send');
                  if (kindOf === 'unsent') onUnsent();
                  if (kindOf === 'unsent') throw new RateLimitedError(1);
                  const isRecognized = isDeduplicatedUpstream && getApplied(key) > 0;
                  if (kindOf === 'refused' && !isRecognized) throw new NotFoundError('No.');
                  if (kindOf === 'broken') throw new TypeError('boom');
                  if (kindOf === 'lost before') throw createLostError();
                  if (kindOf !== 'crash before' && !isRecognized) effects.push({ key, input });
                  if (kindOf === 'lost after') throw createLostError();
                  if (!kindOf.startsWith('crash')) return { id: getApplied(key) };
                  died.resolve(undefined);
                  return new Promise(() => {});
                };
                const prepare = async () => {
                  await scheduler.schedule(Promise.resolve(), 'prepare');
                  if (kindOf === 'unprepared') throw PROBLEM;
                };
                const findProblem = () => (kindOf === 'invalid' ? PROBLEM : undefined);
                const wasApplied = effects.some((effect) => effect.key === key && effect.input === input);
                const traits = { idempotencyKey: createKey(key), request: { input }, findProblem, prepare, isDeduplicatedUpstream };
                const act = createUse(send, traits);
                const result = (processes[process] as Ledger).runOnce(act).catch((error: ApiError) => error);
                outcomes.push({ key, input, outcome: await Promise.race([result, died.promise]), wasApplied });
              }),
            );
            await scheduler.waitFor(Promise.all(running));
            seen += effects.length;
            for (const key of ['a', 'b']) {
              const applied = effects.filter((effect) => effect.key === key);
              expect(applied.length).toBeLessThanOrEqual(1);
              const results = outcomes.filter((each) => each.key === key && each.outcome && 'effect' in each.outcome);
              expect(new Set(results.map((each) => (each.outcome as LedgerOutcome<CreatedRecord>).response.id)).size).toBeLessThanOrEqual(
                1,
              );
              for (const result of results) expect(applied).toEqual([{ key, input: result.input }]);
              const failures = outcomes.filter((each) => each.wasApplied && FAILURES.some((failure) => each.outcome instanceof failure));
              expect(failures).toEqual([]);
              // A key whose write was applied is never released for another attempt.
              const state = await (processes[0] as Ledger).find(createUse(failUnexpectedly, { idempotencyKey: createKey(key) }));
              if (applied.length === 1) expect(state?.state).toMatch(/^(SUCCEEDED|UNKNOWN|IN_FLIGHT)$/);
            }
          },
        ),
        { numRuns: Number(process.env.LEDGER_RUNS ?? 1_000) },
      );
      expect(seen).toBeGreaterThan(0);
    },
    LONG_TEST_MS,
  );
}
