import {
  type DirectoryRoleAccess,
  DirectoryRoleAccessSchema,
  PublicDirectoryPermissionLevel as PermissionLevel,
  PublicDirectoryPermissionLevelSchema as PermissionLevelSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';

/** An area that roles grant access to, by its name in the contract. */
export type Access = Exclude<keyof DirectoryRoleAccess, `$${string}`>;

/** All areas, in the order of the contract. */
export const ACCESSES: readonly Access[] = DirectoryRoleAccessSchema.fields.map(({ localName }) => localName as Access);

/** The levels that grant access, in ascending order. Each includes the previous ones. */
const LEVELS = ['READ_ONLY', 'READ_WRITE', 'FULL_ACCESS'] as const;

/**
 * A level in an area. The upstream doesn't document the area of an operation. Assumed: customers belong to boards; quotes, orders, payments and invoices to
 * billing.
 */
export type Permission = `${Access}:${(typeof LEVELS)[number]}`;

/** The areas that full access to boards also grants, as documented upstream. Assumed: which areas count as operational. */
const OPERATIONAL: readonly Access[] = ['boardAccess', 'billingAccess', 'inventoryAccess', 'planningAccess'];

/** Name of a level, such as READ_WRITE. */
export const getLevelName = (level: number): string =>
  PermissionLevelSchema.values.find(({ number }) => number === level)?.localName ?? String(level);

/** Permissions that a level in an area includes, by area and then level. Precomputed, because every call needs them. */
const INCLUDED: ReadonlyMap<Access, readonly (readonly Permission[])[]> = new Map(
  ACCESSES.map((access) => {
    const levels = PermissionLevelSchema.values.map(({ number }) => LEVELS.filter((level) => PermissionLevel[level] <= number));
    return [access, levels.map((included) => included.map((level): Permission => `${access}:${level}`))];
  }),
);

/** All permissions that these levels grant, including the lower levels and those that come with full access to boards. */
export function computePermissions(levels: ReadonlyMap<Access, number>): ReadonlySet<Permission> {
  const found = new Set<Permission>();
  const add = (access: Access, level: number) => {
    for (const permission of INCLUDED.get(access)?.[level] ?? []) found.add(permission);
  };
  for (const [access, level] of levels) add(access, level);
  if (levels.get('boardAccess') === PermissionLevel.FULL_ACCESS) for (const access of OPERATIONAL) add(access, PermissionLevel.FULL_ACCESS);
  return found;
}
