import { createHash } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { SandboxError } from './errors.ts';
import { getPermissions, memberTable } from './memberships.ts';
import type { Permission } from './permissions.ts';
import type { Store } from './store.ts';
import { plainTable, type RowOf } from './table.ts';

/** The member whose API key sends the call, with the permissions of both. */
export interface Principal {
  readonly keyId: string;
  readonly keyName: string;
  readonly workspaceId: string;
  /** The member who created the key. */
  readonly memberId: string;
  readonly memberName: string;
  readonly scopes: ReadonlySet<string>;
  /** Permissions of the member's roles at the time of the call. */
  readonly permissions: ReadonlySet<Permission>;
  readonly allowedCidrs: readonly string[];
  /** Unix seconds. */
  readonly expiresAt: number | null;
}

export const keyTable = plainTable(
  'api_keys',
  {
    id: 'TEXT',
    hash: 'TEXT',
    name: 'TEXT',
    member_id: 'TEXT',
    scopes: 'TEXT',
    allowed_cidrs: 'TEXT',
    expires_at: 'INTEGER NULL',
    revoked_at: 'INTEGER NULL',
  },
  { references: { member_id: memberTable }, constraints: ['UNIQUE (hash)'], indexes: { keys_of_member: 'member_id' } },
);

export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

interface KeyRow extends Omit<RowOf<typeof keyTable>, 'hash'> {
  readonly workspace_id: string;
  readonly member_name: string;
}

/** The API key of a call. Null if it has none. */
export const findKey = (authorization: string | undefined, apiKey: string | undefined): string | null =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? apiKey ?? null;

function parseKey(authorization: string | undefined, apiKey: string | undefined): string {
  const key = findKey(authorization, apiKey);
  if (!key) throw new SandboxError('unauthenticated', 'Missing API key. Send it as Authorization: Bearer <key> or X-API-Key: <key>.');
  return key;
}

function isAllowed(address: string, cidrs: readonly string[]): boolean {
  if (cidrs.length === 0) return true;
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', prefix] = cidr.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(network, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  const plain = address.replace(/^::ffff:/, '');
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** Identifies the caller. Throws 401 for unknown, revoked and expired keys, and 403 for IP addresses that the key doesn't allow. */
export function authenticate(
  { store, now }: { store: Store; now: number },
  headers: { readonly authorization: string | undefined; readonly apiKey: string | undefined; readonly address: string },
): Principal {
  const row = store.get<KeyRow>(
    `SELECT api_keys.id, api_keys.name, member_id, workspace_id, members.name AS member_name, scopes, allowed_cidrs, expires_at, revoked_at
     FROM api_keys JOIN members ON members.id = member_id WHERE hash = :hash`,
    { hash: hashKey(parseKey(headers.authorization, headers.apiKey)) },
  );
  if (!row) throw new SandboxError('unauthenticated', 'Unknown API key.');
  if (row.revoked_at !== null) throw new SandboxError('unauthenticated', 'The API key has been revoked.');
  if (row.expires_at !== null && row.expires_at <= now) throw new SandboxError('unauthenticated', 'The API key has expired.');
  const allowedCidrs = JSON.parse(row.allowed_cidrs) as string[];
  if (!isAllowed(headers.address, allowedCidrs)) {
    throw new SandboxError('permission_denied', 'The API key doesn’t allow requests from this IP address.');
  }
  return {
    keyId: row.id,
    keyName: row.name,
    workspaceId: row.workspace_id,
    memberId: row.member_id,
    memberName: row.member_name,
    scopes: new Set(JSON.parse(row.scopes) as string[]),
    permissions: getPermissions(store, row.member_id),
    allowedCidrs,
    expiresAt: row.expires_at,
  };
}
