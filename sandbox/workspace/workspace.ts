import { Workspace } from '../../src/upstream/contract/generated/publicapi/v1/workspace_pb.ts';
import type { Call } from '../kernel/call.ts';
import { notFound } from '../kernel/errors.ts';
import { service } from '../kernel/service.ts';

export const workspaceTables = `
  CREATE TABLE IF NOT EXISTS workspaces (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, time_zone TEXT NOT NULL, currency TEXT NOT NULL, country_code TEXT NOT NULL,
    legal_name TEXT NOT NULL, registration_number TEXT NOT NULL, vat_number TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL,
    website_url TEXT NOT NULL, street TEXT NOT NULL, house_number TEXT NOT NULL, zipcode TEXT NOT NULL, city TEXT NOT NULL,
    portal_url TEXT NOT NULL
  ) STRICT;
`;

interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly currency: string;
  readonly country_code: string;
  readonly legal_name: string;
  readonly registration_number: string;
  readonly vat_number: string;
  readonly email: string;
  readonly phone: string;
  readonly website_url: string;
  readonly street: string;
  readonly house_number: string;
  readonly zipcode: string;
  readonly city: string;
  readonly portal_url: string;
}

/** The caller's workspace. */
export function workspaceOf(call: Call): WorkspaceRow {
  const row = call.store.get<WorkspaceRow>('SELECT * FROM workspaces WHERE id = :id', { id: call.workspaceId });
  if (!row) throw notFound('workspace', call.workspaceId);
  return row;
}

export const workspace = service(Workspace, {
  me: {
    permission: [],
    run: (_request, call) => {
      const { id, name, time_zone, currency, country_code } = workspaceOf(call);
      const { caller } = call;
      return {
        workspace: { id, name, timeZone: time_zone, currency, countryCode: country_code },
        apiKey: {
          id: caller.keyId,
          name: caller.keyName,
          scopes: [...caller.scopes],
          ...(caller.expiresAt !== null && { expiresAt: BigInt(caller.expiresAt) }),
          allowedCidrs: [...caller.allowedCidrs],
          creatorName: caller.actorName,
        },
      };
    },
  },

  getCompanyProfile: {
    permission: [],
    run: (_request, call) => {
      const row = workspaceOf(call);
      return {
        companyProfile: {
          legalName: row.legal_name,
          registrationNumber: row.registration_number,
          vatNumber: row.vat_number,
          email: row.email,
          phone: row.phone,
          websiteUrl: row.website_url,
          street: row.street,
          houseNumber: row.house_number,
          zipcode: row.zipcode,
          city: row.city,
          countryCode: row.country_code,
          portalUrl: row.portal_url,
        },
      };
    },
  },
});
