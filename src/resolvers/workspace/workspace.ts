import { builder } from '../../schema/kit/builder.ts';
import { CompanyProfile, Viewer } from '../../schema/workspace/workspace.ts';
import { parseGrants } from '../../upstream/access/grants.ts';
import { GetCompanyProfile, Me } from '../../upstream/contract/generated/operations.ts';
import { read } from '../kit/reads.ts';

builder.queryFields((t) => ({
  viewer: t.field(
    read(Me, {
      description: 'The caller: its workspace, its API key, and its scopes.',
      type: Viewer,
      request: () => ({}),
      resolveValue: (me) => {
        // Throws if the response is empty.
        parseGrants(me);
        return me;
      },
    }),
  ),

  companyProfile: t.field(
    read(GetCompanyProfile, {
      description: 'The company details that customers see.',
      type: CompanyProfile,
      request: () => ({}),
      resolveValue: ({ companyProfile }) => companyProfile,
    }),
  ),
}));
