import {
  CompanyProfileRecordSchema,
  Workspace,
  WorkspaceRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/workspace_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { notFound } from '../kernel/errors.ts';
import { keyTable } from '../kernel/keys.ts';
import { domain } from '../kernel/service.ts';
import { createRowReader, type RowOf, table } from '../kernel/table.ts';

/** Workspaces with their company profiles. One row contains both records. */
export const workspaceTable = table('workspaces', WorkspaceRecordSchema, {
  also: {
    legal_name: 'TEXT',
    registration_number: 'TEXT',
    vat_number: 'TEXT',
    email: 'TEXT',
    phone: 'TEXT',
    website_url: 'TEXT',
    street: 'TEXT',
    house_number: 'TEXT',
    zipcode: 'TEXT',
    city: 'TEXT',
    portal_url: 'TEXT',
  },
});

const toCompanyProfile = createRowReader(CompanyProfileRecordSchema);

/** The caller's workspace. */
export function getWorkspace({ store, workspaceId }: CallContext): RowOf<typeof workspaceTable> {
  const row = workspaceTable.find(store, { id: workspaceId });
  if (!row) throw notFound('workspace', workspaceId);
  return row;
}

export const workspace = domain(Workspace, {
  tables: [workspaceTable, keyTable],
  handlers: {
    me: {
      permission: [],
      run: (_request, call) => {
        const { principal } = call;
        return {
          workspace: workspaceTable.read(getWorkspace(call)),
          apiKey: {
            id: principal.keyId,
            name: principal.keyName,
            scopes: [...principal.scopes],
            ...(principal.expiresAt !== null && { expiresAt: BigInt(principal.expiresAt) }),
            allowedCidrs: [...principal.allowedCidrs],
            creatorName: principal.memberName,
          },
        };
      },
    },

    getCompanyProfile: {
      permission: [],
      run: (_request, call) => ({ companyProfile: toCompanyProfile(getWorkspace(call)) }),
    },
  },
});
