import type { CallContext } from '../kernel/call.ts';
import { SandboxError } from '../kernel/errors.ts';
import type { Permission } from '../kernel/permissions.ts';

/** The access that work requires. The upstream documents capabilities, but not their areas. Assumed: problems and work orders belong to planning. */
export const WORK_READ: Permission = 'planningAccess:READ_ONLY';
export const WORK_WRITE: Permission = 'planningAccess:READ_WRITE';
/** The capability to read content templates. No area has this name. Assumed: planning includes it, and members who can write work can read templates. */
export const CONTENT_TEMPLATE_READ: Permission = 'planningAccess:READ_ONLY';
export const CUSTOMER_READ: Permission = 'boardAccess:READ_ONLY';
export const CUSTOMER_WRITE: Permission = 'boardAccess:READ_WRITE';
export const SETTINGS_READ: Permission = 'settingsAccess:READ_ONLY';
export const SETTINGS_WRITE: Permission = 'settingsAccess:READ_WRITE';

/** Throws if the member lacks a permission that a part of the request needs. `purpose` completes the sentence of the message. */
export function requireCapability({ principal }: CallContext, permission: Permission, purpose: string): void {
  if (principal.permissions.has(permission)) return;
  throw new SandboxError(
    'permission_denied',
    `The key’s member doesn’t have the permission ${permission}, which is required to ${purpose}.`,
  );
}
