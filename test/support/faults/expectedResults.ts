import type { Deduplication } from './effects.ts';

/**
 * Expected results of a write under a fault, for each way to prevent duplicates: the outcome, how often the write was done, and the status in the ledger. After
 * the arrow: the same for a retry with the same idempotency key without the fault, with its number of calls. Without an arrow, the response advises against a
 * retry.
 */
export const EXPECTED_RESULTS = {
  unaffected: {
    state: 'done, 1 done → by 1 call: unchanged, 1 done',
    upstream: 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    'upstream, readable': 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    ledger: 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    'ledger, readable': 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    nothing: 'done, 1 done',
  },
  'never sent': {
    state: 'UPSTREAM_UNAVAILABLE SAFE, 0 done → by 1 call: done, 1 done',
    upstream: 'UPSTREAM_UNAVAILABLE SAFE, 0 done → by 1 call: done, 1 done, SUCCEEDED',
    'upstream, readable': 'UPSTREAM_UNAVAILABLE SAFE, 0 done → by 1 call: done, 1 done, SUCCEEDED',
    ledger: 'UPSTREAM_UNAVAILABLE SAFE, 0 done → by 1 call: done, 1 done, SUCCEEDED',
    'ledger, readable': 'UPSTREAM_UNAVAILABLE SAFE, 0 done → by 1 call: done, 1 done, SUCCEEDED',
    nothing: 'UPSTREAM_UNAVAILABLE SAFE, 0 done → by 1 call: done, 1 done',
  },
  rejected: {
    state: 'RATE_LIMITED SAFE, 0 done → by 1 call: done, 1 done',
    upstream: 'RATE_LIMITED SAFE, 0 done, FAILED → by 1 call: done, 1 done, SUCCEEDED',
    'upstream, readable': 'RATE_LIMITED SAFE, 0 done, FAILED → by 1 call: done, 1 done, SUCCEEDED',
    ledger: 'RATE_LIMITED SAFE, 0 done, FAILED → by 1 call: done, 1 done, SUCCEEDED',
    'ledger, readable': 'RATE_LIMITED SAFE, 0 done, FAILED → by 1 call: done, 1 done, SUCCEEDED',
    nothing: 'RATE_LIMITED SAFE, 0 done → by 1 call: done, 1 done',
  },
  'rejected once': {
    state: 'done, 1 done → by 1 call: unchanged, 1 done',
    upstream: 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    'upstream, readable': 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    ledger: 'RATE_LIMITED SAFE, 0 done, FAILED → by 1 call: done, 1 done, SUCCEEDED',
    'ledger, readable': 'RATE_LIMITED SAFE, 0 done, FAILED → by 1 call: done, 1 done, SUCCEEDED',
    nothing: 'RATE_LIMITED SAFE, 0 done → by 1 call: done, 1 done',
  },
  'lost, not done': {
    state: 'OUTCOME_UNKNOWN SAFE, 0 done → by 1 call: done, 1 done',
    upstream: 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 1 call: done, 1 done, SUCCEEDED',
    'upstream, readable': 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 1 call: done, 1 done, SUCCEEDED',
    ledger: 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 0 calls: OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN',
    'ledger, readable': 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 0 calls: OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN',
    nothing: 'OUTCOME_UNKNOWN CHECK_FIRST, 0 done',
  },
  'lost once, not done': {
    state: 'done, 1 done → by 1 call: unchanged, 1 done',
    upstream: 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    'upstream, readable': 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    ledger: 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 0 calls: OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN',
    'ledger, readable': 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 0 calls: OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN',
    nothing: 'OUTCOME_UNKNOWN CHECK_FIRST, 0 done',
  },
  'lost, done': {
    state: 'reconciled, 1 done → by 1 call: unchanged, 1 done',
    upstream: 'OUTCOME_UNKNOWN SAME_KEY, 1 done, UNKNOWN → by 1 call: done, 1 done, SUCCEEDED',
    'upstream, readable': 'reconciled, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    ledger: 'OUTCOME_UNKNOWN SAME_KEY, 1 done, UNKNOWN → by 0 calls: OUTCOME_UNKNOWN SAME_KEY, 1 done, UNKNOWN',
    'ledger, readable': 'reconciled, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    nothing: 'OUTCOME_UNKNOWN CHECK_FIRST, 1 done',
  },
  'lost once, done': {
    state: 'done, 1 done → by 1 call: unchanged, 1 done',
    upstream: 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    'upstream, readable': 'done, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    ledger: 'OUTCOME_UNKNOWN SAME_KEY, 1 done, UNKNOWN → by 0 calls: OUTCOME_UNKNOWN SAME_KEY, 1 done, UNKNOWN',
    'ledger, readable': 'reconciled, 1 done, SUCCEEDED → by 0 calls: replayed, 1 done, SUCCEEDED',
    nothing: 'OUTCOME_UNKNOWN CHECK_FIRST, 1 done',
  },
  'lost, done late': {
    state: 'OUTCOME_UNKNOWN SAFE, 0 done → by 1 call: unchanged, 1 done',
    upstream: 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 1 call: done, 1 done, SUCCEEDED',
    'upstream, readable': 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 1 call: done, 1 done, SUCCEEDED',
    ledger: 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 0 calls: OUTCOME_UNKNOWN SAME_KEY, 1 done, UNKNOWN',
    'ledger, readable': 'OUTCOME_UNKNOWN SAME_KEY, 0 done, UNKNOWN → by 0 calls: reconciled, 1 done, SUCCEEDED',
    nothing: 'OUTCOME_UNKNOWN CHECK_FIRST, 0 done',
  },
} as const satisfies Record<string, Record<Deduplication, string>>;

export type ExpectedResults = keyof typeof EXPECTED_RESULTS;
