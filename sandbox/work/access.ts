import type { CallContext } from '../kernel/call.ts';
import { SandboxError } from '../kernel/errors.ts';
import type { Permission } from '../kernel/permissions.ts';

/** The areas of roles that work takes. The upstream names the capabilities, and not the areas: problems and work orders are counted to planning. */
export const WORK_READ: Permission = 'planningAccess:READ_ONLY';
export const WORK_WRITE: Permission = 'planningAccess:READ_WRITE';
/** The capability to read content templates. No area of roles is called so: planning opens them, and who may write work may read them. */
export const CONTENT_TEMPLATE_READ: Permission = 'planningAccess:READ_ONLY';
export const CUSTOMER_READ: Permission = 'boardAccess:READ_ONLY';
export const CUSTOMER_WRITE: Permission = 'boardAccess:READ_WRITE';
export const SETTINGS_READ: Permission = 'settingsAccess:READ_ONLY';
export const SETTINGS_WRITE: Permission = 'settingsAccess:READ_WRITE';

/** Refuses a member who may not do a part of what the request asks for: `aim` ends the sentence. */
export function requireCapability({ principal }: CallContext, permission: Permission, aim: string): void {
  if (principal.permissions.has(permission)) return;
  throw new SandboxError('permission_denied', `The key’s member doesn’t have the permission ${permission}, which is required to ${aim}.`);
}
