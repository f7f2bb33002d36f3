import { randomBytes } from 'node:crypto';
import {
  Invitation,
  MemberInvitationRecordSchema,
  PublicMemberInvitationStatus as Status,
} from '../../src/upstream/contract/generated/publicapi/v1/invitations_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { invalidArgument, notFound } from '../kernel/errors.ts';
import { hashKey } from '../kernel/keys.ts';
import { sendMessage } from '../kernel/outbox.ts';
import { domain } from '../kernel/service.ts';
import { plainTable, type RowOf, table } from '../kernel/table.ts';
import { requireDelegableRoles } from './delegation.ts';
import { requireRoles } from './roles.ts';
import { requireTeams } from './teams.ts';

/** How long an invitation can be accepted, in seconds. Chosen. */
export const VALID_SECONDS = 7 * 86_400;

/** Length of a link's secret in bytes. Chosen: the same as for an API key of that strength. */
const SECRET_BYTES = 32;

/** Invitations by email. Lists of IDs are JSON. */
export const invitationTable = table('invitations', MemberInvitationRecordSchema, {
  also: { workspace_id: 'TEXT', role_ids: 'TEXT', team_ids: 'TEXT' },
  indexes: { invitations_by_age: 'workspace_id, status, created_at' },
});

/** Invitation links. Only hashes of their secrets are stored, so they can't be read again. */
export const inviteLinkTable = plainTable('invite_links', {
  id: 'TEXT',
  workspace_id: 'TEXT',
  hash: 'TEXT',
  role_ids: 'TEXT',
  team_ids: 'TEXT',
  inviter_id: 'TEXT',
  created_at: 'INTEGER',
  expires_at: 'INTEGER',
});

type InvitationRow = RowOf<typeof invitationTable>;

const toInvitation = (row: InvitationRow) => ({
  ...invitationTable.read(row),
  roleIds: JSON.parse(row.role_ids) as string[],
  teamIds: JSON.parse(row.team_ids) as string[],
});

interface Membership {
  readonly roleIds: readonly string[];
  readonly teamIds: readonly string[];
}

/** The roles and teams of an invitation. Throws if the caller can't assign them. */
function resolveMembership(call: CallContext, request: Membership): Membership {
  const [roleIds, teamIds] = [requireRoles(call, request.roleIds), requireTeams(call, request.teamIds)];
  requireDelegableRoles(call, roleIds);
  return { roleIds, teamIds };
}

/** Columns that email invitations and links share. */
const createInvitationColumns = (call: CallContext, { roleIds, teamIds }: Membership) => ({
  workspace_id: call.workspaceId,
  role_ids: JSON.stringify(roleIds),
  team_ids: JSON.stringify(teamIds),
  inviter_id: call.principal.memberId,
  created_at: call.now,
  expires_at: call.now + VALID_SECONDS,
});

const PENDING = 'workspace_id = :workspaceId AND status = :pending AND expires_at > :now';
const createPendingBindings = ({ workspaceId, now }: CallContext) => ({ workspaceId, pending: Status.PENDING, now });

function requireNoMember(call: CallContext, email: string): void {
  const member = call.store.get('SELECT 1 FROM members WHERE workspace_id = :workspaceId AND lower(email) = lower(:email)', {
    workspaceId: call.workspaceId,
    email,
  });
  if (member) throw invalidArgument('email already belongs to a member of the workspace.');
}

export const invitations = domain(Invitation, {
  tables: [invitationTable, inviteLinkTable],
  handlers: {
    listMemberInvitations: {
      permission: 'memberAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, hasMore } = call.page<InvitationRow>(
          request,
          `SELECT * FROM invitations WHERE ${PENDING} ORDER BY created_at DESC, rowid DESC`,
          createPendingBindings(call),
        );
        return { invitations: rows.map(toInvitation), truncated: hasMore };
      },
    },

    revokeMemberInvitation: {
      permission: 'memberAccess:READ_WRITE',
      run: ({ invitationId }, call) => {
        const bindings = { ...createPendingBindings(call), id: invitationId };
        const pending = call.store.get<InvitationRow>(`SELECT * FROM invitations WHERE id = :id AND ${PENDING}`, bindings);
        if (!pending) throw notFound('pending invitation', invitationId);
        invitationTable.update(call.store, pending.id, { status: Status.REVOKED });
        return { invitation: toInvitation({ ...pending, status: Status.REVOKED }) };
      },
    },

    emailMemberInvitation: {
      permission: 'memberAccess:READ_WRITE',
      run: ({ email, ...request }, call) => {
        requireNoMember(call, email);
        const membership = resolveMembership(call, request);
        const earlier = call.store.get<InvitationRow>(`SELECT * FROM invitations WHERE lower(email) = lower(:email) AND ${PENDING}`, {
          ...createPendingBindings(call),
          email,
        });
        // A new invitation replaces a pending one, so that there is up to one per email address.
        const invitation = { ...createInvitationColumns(call, membership), id: earlier?.id ?? call.id(), email, status: Status.PENDING };
        invitationTable.upsert(call.store, invitation);
        sendMessage(call, { kind: 'invitation_mail', recipient: email, subject: { type: 'member_invitation', id: invitation.id } });
        return { invitation: toInvitation(invitation) };
      },
    },

    createInviteLink: {
      permission: 'memberAccess:READ_WRITE',
      run: (request, call) => {
        const membership = resolveMembership(call, request);
        const secret = randomBytes(SECRET_BYTES).toString('base64url');
        const columns = createInvitationColumns(call, membership);
        inviteLinkTable.insert(call.store, { ...columns, id: call.id(), hash: hashKey(secret) });
        return {
          link: {
            url: `https://app.example.com/join/${secret}`,
            roleIds: [...membership.roleIds],
            teamIds: [...membership.teamIds],
            expiresAt: BigInt(columns.expires_at),
          },
        };
      },
    },
  },
});
