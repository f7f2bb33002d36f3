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
  /** Canonical form of the request. */
  readonly payload: string;
}

const computeFingerprint = (payload: string) => createHash('sha256').update(payload).digest('hex');

/** The response to the key's first use. Throws if the key was used with another payload. */
export function findFirstResponse(store: Store, { workspaceId, operation, key, payload }: KeyUse): string | undefined {
  const row = idempotencyTable.find(store, { workspace_id: workspaceId, operation, key });
  if (row && row.fingerprint !== computeFingerprint(payload)) {
    throw new SandboxError('already_exists', 'The idempotency key was already used with a different request.');
  }
  return row?.answer;
}

/** Stores the response for later uses of the key. Must run in the transaction of the effect. */
export function storeResponse(store: Store, { workspaceId, operation, key, payload }: KeyUse, response: string): void {
  idempotencyTable.insert(store, { workspace_id: workspaceId, operation, key, fingerprint: computeFingerprint(payload), answer: response });
}
