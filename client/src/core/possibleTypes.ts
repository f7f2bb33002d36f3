import { FAILURE_TYPES } from '../generated/failureTypes.gen.ts';
import { PAYLOAD_TYPES } from '../generated/payloadTypes.gen.ts';
import { POSSIBLE_TYPES } from '../generated/possibleTypes.gen.ts';

/** Object types by interface and union. */
export type PossibleTypes = Record<string, string[]>;

/** Creates the object types of all interfaces and unions. `failures` are the types of errors in result unions. */
export function createPossibleTypes(failures: readonly string[]): PossibleTypes {
  const types: PossibleTypes = { MutationError: [...failures], MutationPayload: [...PAYLOAD_TYPES] };
  for (const [name, members] of Object.entries(POSSIBLE_TYPES)) types[name] = [...members];
  // `QuoteConfirmPayload` is a member of `QuoteConfirmResult`. Caches only match members that the graph returned, so unions can list all failures.
  for (const name of PAYLOAD_TYPES) types[name.replace(/Payload$/, 'Result')] = [name, ...failures];
  return types;
}

export const FAILURES: readonly string[] = Object.values(FAILURE_TYPES);
