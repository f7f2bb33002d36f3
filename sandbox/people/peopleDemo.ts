import { PublicMemberInvitationStatus as Status } from '../../src/upstream/contract/generated/publicapi/v1/invitations_pb.ts';
import { PublicMemberKind } from '../../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import {
  PublicDirectoryPermissionLevel as PermissionLevel,
  PublicRoleKind,
} from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import { hashKey, keyTable } from '../kernel/keys.ts';
import { memberRoleTable, memberTable, roleTable } from '../kernel/memberships.ts';
import { ACCESSES, type Access } from '../kernel/permissions.ts';
import type { Plan } from '../kernel/plan.ts';
import { roleFolderTable, roleViewTable, viewTable } from '../kernel/visibility.ts';
import type { DemoKey } from '../workspace/workspaceDemo.ts';
import { type Grant, replaceGrants } from './grants.ts';
import { invitationTable, inviteLinkTable, VALID_SECONDS } from './invitations.ts';
import { teamMemberTable, teamTable } from './memberRecords.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** Age of all these records, except invitations. */
const AGE_SECONDS = 400 * DAY_SECONDS;

type Level = Exclude<keyof typeof PermissionLevel, 'UNSPECIFIED'>;
/** A level, and the level that may be delegated. Defaults to none. */
type Levels = readonly [Level, Level?];

interface DemoRole {
  readonly name: string;
  readonly description: string;
  readonly kind?: PublicRoleKind;
  readonly isDefault?: true;
  readonly requires2fa?: true;
  readonly access: Partial<Readonly<Record<Access, Levels>>>;
  /** Whether AI agents are allowed, and whether that can be delegated. */
  readonly agents?: 'allowed' | 'delegated';
  /** Name of the Customer View that the role selects. */
  readonly view?: string;
  /** Catalog folders whose products the role offers, such as `folder 0`. Defaults to all. */
  readonly folders?: readonly string[];
}

const grantInAllAreas = (...levels: Levels) => Object.fromEntries(ACCESSES.map((access) => [access, levels]));

const ROLES: Readonly<Record<string, DemoRole>> = {
  owner: {
    name: 'Owner',
    description: 'May do everything.',
    kind: PublicRoleKind.OWNER,
    requires2fa: true,
    access: grantInAllAreas('FULL_ACCESS', 'FULL_ACCESS'),
    agents: 'delegated',
  },
  administrator: {
    name: 'Administrator',
    description: 'Runs the workspace, and gives others what takes no full access.',
    kind: PublicRoleKind.SYSTEM,
    requires2fa: true,
    access: grantInAllAreas('FULL_ACCESS', 'READ_WRITE'),
    agents: 'allowed',
  },
  'team lead': {
    name: 'Team lead',
    description: 'Brings people in, and gives them what the field work takes.',
    access: {
      teamAccess: ['FULL_ACCESS', 'READ_WRITE'],
      memberAccess: ['READ_WRITE', 'READ_ONLY'],
      roleAccess: ['READ_WRITE'],
      boardAccess: ['READ_WRITE', 'READ_WRITE'],
      planningAccess: ['READ_WRITE', 'READ_WRITE'],
    },
  },
  planner: {
    name: 'Planner',
    description: 'Plans visits.',
    access: {
      boardAccess: ['READ_WRITE'],
      planningAccess: ['READ_WRITE'],
      billingAccess: ['READ_ONLY'],
      memberAccess: ['READ_ONLY'],
      teamAccess: ['READ_ONLY'],
    },
  },
  technician: {
    name: 'Technician',
    description: 'Visits customers.',
    isDefault: true,
    access: { boardAccess: ['READ_ONLY'], planningAccess: ['READ_WRITE'], inventoryAccess: ['READ_ONLY'] },
  },
  sales: {
    name: 'Sales',
    description: 'Makes quotes, and sees to their payment.',
    access: { boardAccess: ['READ_WRITE'], billingAccess: ['READ_WRITE'], settingsAccess: ['READ_ONLY'], auditAccess: ['READ_ONLY'] },
  },
  warehouse: {
    name: 'Warehouse',
    description: 'Keeps the stock.',
    access: { inventoryAccess: ['READ_WRITE'], billingAccess: ['READ_ONLY'] },
  },
  'front desk': { name: 'Front desk', description: 'Looks customers up.', access: { boardAccess: ['READ_ONLY'] } },
  'regional planner': {
    name: 'Regional planner',
    description: 'Plans visits to the customers of a region.',
    access: { boardAccess: ['READ_WRITE'], planningAccess: ['READ_WRITE'], billingAccess: ['READ_WRITE'], settingsAccess: ['READ_ONLY'] },
    view: 'own customers',
  },
  subcontractor: {
    name: 'Subcontractor',
    description: 'Visits customers for us, and sees what a visit takes.',
    access: { boardAccess: ['READ_WRITE'], planningAccess: ['READ_WRITE'], billingAccess: ['READ_WRITE'], inventoryAccess: ['READ_ONLY'] },
    view: 'site visits',
    folders: ['folder 0', 'folder 1'],
  },
  agent: {
    name: 'Assistant',
    description: 'Lets AI agents prepare work.',
    access: { boardAccess: ['READ_WRITE'], agentChatAccess: ['READ_WRITE'], workflowAutomationAccess: ['READ_WRITE'] },
    agents: 'allowed',
  },
};

interface DemoMember {
  readonly name: string;
  readonly roles: readonly string[];
  readonly teams?: readonly string[];
  readonly kind?: PublicMemberKind;
}

const MEMBERS: Readonly<Record<string, DemoMember>> = {
  owner: { name: 'Ada Adler', roles: ['owner'] },
  administrator: { name: 'Bram Bakker', roles: ['administrator'] },
  'team lead': { name: 'Greta Gomez', roles: ['team lead'], teams: ['field service'] },
  planner: { name: 'Chloé Claes', roles: ['planner'], teams: ['planning', 'field service'] },
  'second planner': { name: 'Hugo Huber', roles: ['planner', 'sales'], teams: ['planning'] },
  technician: { name: 'Daan de Vries', roles: ['technician'], teams: ['field service'] },
  'second technician': { name: 'Elif Engel', roles: ['technician'], teams: ['field service'] },
  sales: { name: 'Finn Fischer', roles: ['sales'], teams: ['sales'] },
  warehouse: { name: 'Ines Ivens', roles: ['warehouse'] },
  'front desk': { name: 'Jonas Jansen', roles: ['front desk'] },
  'regional planner': { name: 'Karin Kaya', roles: ['regional planner'], teams: ['north'] },
  subcontractor: { name: 'Lotte Lambert', roles: ['subcontractor'] },
  agent: { name: 'Planning assistant', roles: ['agent'], kind: PublicMemberKind.AGENT },
};

const TEAMS: Readonly<Record<string, { readonly name: string; readonly description: string; readonly color: string }>> = {
  planning: { name: 'Planning', description: 'Decides who goes where.', color: '#2F6FDE' },
  'field service': { name: 'Field service', description: 'Installs and repairs at customers.', color: '#1E8E5A' },
  sales: { name: 'Sales', description: 'Sells.', color: '#C2410C' },
  north: { name: 'Region north', description: 'Looks after the customers in the north.', color: '#6D28D9' },
};

/** The Customer Views, by the names that roles use. */
const VIEWS: Readonly<Record<string, { readonly name: string; readonly customers: 'all' | 'teams'; readonly fields?: readonly string[] }>> =
  {
    'own customers': { name: 'Customers of the own teams', customers: 'teams' },
    'site visits': { name: 'Site visits', customers: 'all', fields: ['site_address', 'building_type', 'has_parking', 'access_notes'] },
  };

/** Invitations with the days since they were sent. */
const INVITATIONS = [
  { email: 'karin@example.com', days: 1, role: 'technician', team: 'field service', status: Status.PENDING },
  { email: 'lars@example.com', days: 3, role: 'planner', team: 'planning', status: Status.PENDING },
  { email: 'maud@example.com', days: 5, role: 'sales', team: 'sales', status: Status.PENDING },
  { email: 'expired@example.com', days: 30, role: 'technician', team: 'field service', status: Status.EXPIRED },
  { email: 'revoked@example.com', days: 2, role: 'technician', team: 'field service', status: Status.REVOKED },
] as const;

const toGrants = ({ access, agents }: DemoRole): Grant[] =>
  (Object.entries(access) as [Access, Levels][]).map(([name, [level, delegateUpTo = 'NONE']]) => {
    const hasAgents = name === 'workflowAutomationAccess' && agents !== undefined;
    return {
      access: name,
      level: PermissionLevel[level],
      delegate_up_to: PermissionLevel[delegateUpTo],
      allow_ai_agents: Number(hasAgents),
      delegate_ai_agents: Number(hasAgents && agents === 'delegated'),
    };
  });

function seedViews(plan: Plan): void {
  for (const [slug, { name, customers, fields }] of Object.entries(VIEWS)) {
    const row = { id: plan.id(`view ${slug}`), workspace_id: plan.workspaceId, name, customers };
    viewTable.insert(plan.store, { ...row, fields: fields ? JSON.stringify(fields) : null });
  }
}

function seedRoles(plan: Plan): void {
  const madeAt = plan.now - AGE_SECONDS;
  for (const [slug, role] of Object.entries(ROLES)) {
    const id = plan.id(`role ${slug}`);
    roleTable.insert(plan.store, {
      id,
      workspace_id: plan.workspaceId,
      name: role.name,
      description: role.description,
      kind: role.kind ?? PublicRoleKind.CUSTOM,
      is_default: Number(role.isDefault ?? false),
      requires_2fa: Number(role.requires2fa ?? false),
      created_at: madeAt,
      updated_at: madeAt,
    });
    replaceGrants(plan.store, id, toGrants(role));
    if (role.view) roleViewTable.insert(plan.store, { role_id: id, view_id: plan.id(`view ${role.view}`) });
    for (const folder of role.folders ?? []) roleFolderTable.insert(plan.store, { role_id: id, folder_id: plan.id(folder) });
  }
}

function seedMembers(plan: Plan): void {
  const { store, workspaceId } = plan;
  for (const [slug, team] of Object.entries(TEAMS))
    teamTable.insert(store, { id: plan.id(`team ${slug}`), workspace_id: workspaceId, ...team });
  for (const [slug, { name, roles, teams = [], kind = PublicMemberKind.PERSON }] of Object.entries(MEMBERS)) {
    const id = plan.id(`member ${slug}`);
    const email = `${slug.replace(' ', '.')}@example.com`;
    memberTable.insert(store, { id, workspace_id: workspaceId, name, email, kind, joined_at: plan.now - AGE_SECONDS });
    for (const role of roles) memberRoleTable.insert(store, { member_id: id, role_id: plan.id(`role ${role}`) });
    for (const team of teams) teamMemberTable.insert(store, { member_id: id, team_id: plan.id(`team ${team}`) });
  }
}

function seedKeys(plan: Plan, keys: readonly DemoKey[]): void {
  const anHourAgo = plan.now - HOUR_SECONDS;
  for (const { key, member, scopes, allowedCidrs = [], state } of keys) {
    keyTable.insert(plan.store, {
      id: plan.id(`key ${key}`),
      hash: hashKey(key),
      name: key,
      member_id: plan.id(`member ${member}`),
      scopes: JSON.stringify(scopes),
      allowed_cidrs: JSON.stringify(allowedCidrs),
      expires_at: state === 'expired' ? anHourAgo : null,
      revoked_at: state === 'revoked' ? anHourAgo : null,
    });
  }
}

function seedInvitations(plan: Plan): void {
  const { store, now } = plan;
  const sent = { workspace_id: plan.workspaceId, inviter_id: plan.id('member team lead') };
  for (const { email, days, role, team, status } of INVITATIONS) {
    const created_at = now - days * DAY_SECONDS;
    const leadsTo = { role_ids: JSON.stringify([plan.id(`role ${role}`)]), team_ids: JSON.stringify([plan.id(`team ${team}`)]) };
    const lasts = { created_at, expires_at: created_at + VALID_SECONDS };
    invitationTable.insert(store, { ...sent, ...leadsTo, ...lasts, id: plan.id(`invitation ${email}`), email, status });
  }
  const lasts = { created_at: now - DAY_SECONDS, expires_at: now - DAY_SECONDS + VALID_SECONDS };
  const link = { id: plan.id('invite link'), hash: hashKey(plan.id('invite link secret')), role_ids: '[]', team_ids: '[]' };
  inviteLinkTable.insert(store, { ...sent, ...lasts, ...link });
}

/**
 * Creates Customer Views, roles, teams, members and invitations, such as `view site visits`, `role planner`, `team planning`, `member second planner` and
 * `invitation lars@example.com`, and the API keys of members. All workspaces have the same ones.
 */
export function seedPeople(plan: Plan, keys: readonly DemoKey[]): void {
  seedViews(plan);
  seedRoles(plan);
  seedMembers(plan);
  seedKeys(plan, keys);
  seedInvitations(plan);
}

export const peopleDemo = demoData({
  examples: {
    Member: ['member owner', 'member planner'],
    Role: ['role planner', 'role sales'],
    Team: ['team planning', 'team sales'],
  },
});
