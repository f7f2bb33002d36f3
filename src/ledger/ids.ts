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

/** What a key contains: when it was created, in Unix milliseconds, and the ID of the storage that it was created for. Undefined members aren't contained. */
export function parseTimedKey(idempotencyKey: string): { readonly createdAt?: number; readonly storageId?: string | undefined } {
  const [, unixMs, storageId] = /^created:(\d{1,15}):(?:storage:([\w-]{1,64}):)?/.exec(idempotencyKey) ?? [];
  return unixMs === undefined ? {} : { createdAt: Number(unixMs), storageId };
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
