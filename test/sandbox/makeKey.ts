import { hashOfKey } from '../../sandbox/kernel/keys.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { DEMO_KEYS } from '../../sandbox/workspace/workspaceDemo.ts';

const owner = DEMO_KEYS.find(({ key }) => key === 'demo-owner');

/** Everything that a key can be allowed to do. */
export const ALL_SCOPES: readonly string[] = owner?.scopes ?? [];

interface KeyTraits {
  readonly scopes?: readonly string[];
  readonly permissions?: readonly string[];
  readonly allowedCidrs?: readonly string[];
  /** Unix seconds. */
  readonly expiresAt?: number;
}

let made = 0;

/** Adds a key to the demo workspace that may do everything but what the traits say, and answers it. */
export function makeKey({ store }: World, traits: KeyTraits = {}): string {
  made += 1;
  const key = `test-key-${made}`;
  const owned = store.get<{ workspace_id: string; permissions: string }>("SELECT * FROM actors WHERE name = 'demo-owner'");
  store.insert('actors', {
    id: `actor ${key}`,
    workspace_id: owned?.workspace_id ?? '',
    name: key,
    permissions: traits.permissions ? JSON.stringify(traits.permissions) : (owned?.permissions ?? '[]'),
  });
  store.insert('api_keys', {
    id: `key ${key}`,
    hash: hashOfKey(key),
    name: key,
    actor_id: `actor ${key}`,
    scopes: JSON.stringify(traits.scopes ?? ALL_SCOPES),
    allowed_cidrs: JSON.stringify(traits.allowedCidrs ?? []),
    expires_at: traits.expiresAt ?? null,
    revoked_at: null,
  });
  return key;
}
