import { PublicDirectoryPermissionLevel as PermissionLevel } from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { SandboxError } from '../kernel/errors.ts';
import { listGrants } from '../kernel/memberships.ts';
import { type Access, getLevelName } from '../kernel/permissions.ts';
import { type Grant, listRoleGrants } from './grants.ts';

const delegationError = (message: string) => new SandboxError('permission_denied', message);

/** Throws for grants beyond what the caller's roles currently allow it to delegate. Applies to adding, changing and removing grants. */
export function requireDelegable({ store, principal }: CallContext, grants: readonly Grant[]): void {
  const ceilings = new Map<Access, number>();
  const own = listGrants(store, principal.memberId);
  for (const { access, delegate_up_to } of own) ceilings.set(access, Math.max(delegate_up_to, ceilings.get(access) ?? 0));
  const delegatesAgents = own.some(({ delegate_ai_agents }) => delegate_ai_agents);
  for (const { access, level, delegate_up_to, allow_ai_agents, delegate_ai_agents } of grants) {
    const ceiling = ceilings.get(access) ?? PermissionLevel.NONE;
    if (Math.max(level, delegate_up_to) > ceiling) {
      throw delegationError(
        `A grant of ${access} at ${getLevelName(Math.max(level, delegate_up_to))} exceeds the caller’s delegation ceiling, ${getLevelName(ceiling)}.`,
      );
    }
    if ((allow_ai_agents || delegate_ai_agents) && !delegatesAgents) {
      throw delegationError(`A grant of ${access} to AI agents requires delegateAiAgents in a role of the caller.`);
    }
  }
}

/** Throws for roles whose grants the caller can't delegate. */
export const requireDelegableRoles = (call: CallContext, roleIds: Iterable<string>): void =>
  requireDelegable(
    call,
    [...roleIds].flatMap((id) => listRoleGrants(call.store, id)),
  );
