import {
  type DirectoryRoleAccess,
  DirectoryRoleAccessSchema,
  PublicDirectoryPermissionLevel as PermissionLevel,
  PublicDirectoryPermissionLevelSchema as PermissionLevelSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';

/** An area of the workspace that roles grant, by its name in the contract. */
export type Access = Exclude<keyof DirectoryRoleAccess, `$${string}`>;

/** Every area, in the order of the contract. */
export const ACCESSES: readonly Access[] = DirectoryRoleAccessSchema.fields.map(({ localName }) => localName as Access);

/** The levels that allow anything, in rising order: each includes those before it. */
const LEVELS = ['READ_ONLY', 'READ_WRITE', 'FULL_ACCESS'] as const;

/**
 * A level in an area. The upstream does not tell which area an operation takes: customers are counted to boards, and quotes, orders, payments and
 * invoices to billing.
 */
export type Permission = `${Access}:${(typeof LEVELS)[number]}`;

/** The areas that full access to boards opens as well, as the upstream documents. Which of them are operational is a guess. */
const OPERATIONAL: readonly Access[] = ['boardAccess', 'billingAccess', 'inventoryAccess', 'planningAccess'];

/** The word for a level: READ_WRITE. */
export const levelName = (level: number): string =>
  PermissionLevelSchema.values.find(({ number }) => number === level)?.localName ?? String(level);

/** The permissions that a level in an area includes, by area and then by level. Written out once, since every call asks for them. */
const INCLUDED: ReadonlyMap<Access, readonly (readonly Permission[])[]> = new Map(
  ACCESSES.map((access) => {
    const levels = PermissionLevelSchema.values.map(({ number }) => LEVELS.filter((level) => PermissionLevel[level] <= number));
    return [access, levels.map((included) => included.map((level): Permission => `${access}:${level}`))];
  }),
);

/** Every permission that somebody with these levels has: the lower levels too, and what full access to boards brings along. */
export function permissionsFrom(levels: ReadonlyMap<Access, number>): ReadonlySet<Permission> {
  const found = new Set<Permission>();
  const add = (access: Access, level: number) => {
    for (const permission of INCLUDED.get(access)?.[level] ?? []) found.add(permission);
  };
  for (const [access, level] of levels) add(access, level);
  if (levels.get('boardAccess') === PermissionLevel.FULL_ACCESS) for (const access of OPERATIONAL) add(access, PermissionLevel.FULL_ACCESS);
  return found;
}
