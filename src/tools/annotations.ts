import { type AnyOperation, isRead } from '../upstream/contract/operation.ts';

/** MCP tool annotations: hints that hosts use to decide when to ask a person. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Writes that only add records or send messages. MCP calls all other writes destructive, because they replace or end something. */
const ADDITIVE = /\/(Add|Attach|Create(?!Refund)|Email|Resend|Send)/;
/** Writes that reach customers, other people, or payment providers. */
const EXTERNAL = /\/(AddCorrespondenceMessage|CreatePayment|CreateRefund|Email|Resend|Send)/;

/** Derives the annotations of a tool from the operations that it can call. Writes are idempotent, because each has an idempotency key. */
export function deriveAnnotations(operations: readonly AnyOperation[]): Annotations {
  const writes = operations.filter((operation) => !isRead(operation)).map(({ name }) => name);
  return {
    readOnlyHint: writes.length === 0,
    destructiveHint: writes.some((name) => !ADDITIVE.test(name)),
    idempotentHint: true,
    openWorldHint: writes.some((name) => EXTERNAL.test(name)),
  };
}
