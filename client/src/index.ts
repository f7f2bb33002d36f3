export { type FieldIssue, type GraphError, getFieldIssues, getGraphErrors } from './core/errors.ts';
export { createIntent, type Intent, IntentExpiredError, IntentReusedError } from './core/intents.ts';
export {
  type Candidate,
  type FailureCode,
  type FailureOf,
  type Handlers,
  type Member,
  MutationFailure,
  match,
  type PayloadOf,
  type RetryAdvice,
  type Settled,
  settle,
  unwrap,
} from './core/results.ts';
