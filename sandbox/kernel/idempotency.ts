import { createHash } from 'node:crypto';
import { SandboxError } from './errors.ts';
import type { Store } from './store.ts';
import { plainTable } from './table.ts';

export const idempotencyTable = plainTable(
  'idempotency_keys',
  { workspace_id: 'TEXT', operation: 'TEXT', key: 'TEXT', fingerprint: 'TEXT', answer: 'TEXT' },
  { key: ['workspace_id', 'operation', 'key'] },
);

interface KeyUse {
  readonly workspaceId: string;
  readonly operation: string;
  readonly key: string;
  /** The request, in one canonical form. */
  readonly payload: string;
}

const fingerprintOf = (payload: string) => createHash('sha256').update(payload).digest('hex');

/** The answer that the key got the first time, if it was used with this payload; refuses when it was used with another. */
export function firstAnswer(store: Store, { workspaceId, operation, key, payload }: KeyUse): string | undefined {
  const row = idempotencyTable.find(store, { workspace_id: workspaceId, operation, key });
  if (row && row.fingerprint !== fingerprintOf(payload)) {
    throw new SandboxError('already_exists', 'The idempotency key was already used with a different request.');
  }
  return row?.answer;
}

/** Remembers the answer for repeats of the key. Belongs in the transaction of the effect. */
export function remember(store: Store, { workspaceId, operation, key, payload }: KeyUse, answer: string): void {
  idempotencyTable.insert(store, { workspace_id: workspaceId, operation, key, fingerprint: fingerprintOf(payload), answer });
}
