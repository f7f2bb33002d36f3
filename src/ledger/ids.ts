import { hash } from 'node:crypto';
import type { AnyOperation } from '../upstream/contract/operation.ts';

/** An idempotency key with its owner and the operation that it was used for. */
export interface LedgerKey {
  readonly keyHash: string;
  /** Who can receive the stored response: the key, or one of the accounts that share it. */
  readonly callerId: string;
  /** Null if the upstream doesn't report it. */
  readonly workspaceId: string | null;
  readonly operation: AnyOperation;
  readonly idempotencyKey: string;
}

export const sha256 = (text: string): string => hash('sha256', text, 'base64url');

/** Creates a key that contains when it was created, so that it can't be used once its entry may have expired. The `id` must be unique. */
export const createTimedKey = (unixMs: number, id: string): string => `created:${unixMs}:${id}`;

/** When a key was created, in Unix milliseconds. Undefined if the key doesn't contain it. */
export function getCreationTime(idempotencyKey: string): number | undefined {
  const [, unixMs] = /^created:(\d{1,15}):/.exec(idempotencyKey) ?? [];
  return unixMs === undefined ? undefined : Number(unixMs);
}

/** The part of the IDs of an entry that doesn't depend on the owner. In braces, so that a Redis cluster stores all of them on the same node. */
const hashSlot = (...parts: readonly string[]): string => `{${sha256(JSON.stringify(parts))}}`;

/**
 * IDs of an entry: by API key, which is always known, and by workspace if the upstream reports it, so that an API key that is replaced between two attempts doesn't
 * repeat the write.
 */
export function getEntryIds({ keyHash, workspaceId, operation, idempotencyKey }: LedgerKey): string[] {
  const slot = hashSlot(operation.name, idempotencyKey);
  const owners = [`key ${keyHash}`, ...(workspaceId === null ? [] : [`workspace ${workspaceId}`])];
  return owners.map((owner) => slot + sha256(owner));
}

/** Whether an ID belongs to this idempotency key, of any owner. */
export const matchesIdempotencyKey = (id: string, operation: string, idempotencyKey: string): boolean =>
  id.startsWith(hashSlot(operation, idempotencyKey));
