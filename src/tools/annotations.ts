import { type AnyOperation, isRead } from '../upstream/contract/operation.ts';

/** Hints for hosts, which may skip the question to a person by them. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Acts that end, take back or give away what cannot simply be made again, by the verbs of the registry. */
const ENDS = /\/(Archive|Cancel|Clear|CreateRefund|Delete|Discard|Release|Remove|Revoke)/;
/** Acts that send something to people outside, by the verbs of the registry. */
const SENDS = /\/(Email|Resend|Send)/;

/** The hints of a tool, from the operations that it may call. Changes are idempotent: each has a key, by which the ledger or the upstream knows a repeat. */
export function annotationsOf(operations: readonly AnyOperation[]): Annotations {
  const changes = operations.filter((operation) => !isRead(operation)).map(({ name }) => name);
  return {
    readOnlyHint: changes.length === 0,
    destructiveHint: changes.some((name) => ENDS.test(name)),
    idempotentHint: true,
    openWorldHint: changes.some((name) => SENDS.test(name)),
  };
}
