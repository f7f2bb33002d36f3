import { builder } from '../../schema/kit/builder.ts';
import { CompanyProfile, Viewer } from '../../schema/workspace/workspace.ts';
import { grantsIn } from '../../upstream/access/grants.ts';
import { GetCompanyProfile, Me } from '../../upstream/contract/generated/operations.ts';
import { read } from '../kit/reads.ts';

builder.queryFields((t) => ({
  viewer: t.field(
    read(Me, {
      description: 'The caller: the workspace, the key and its scopes.',
      type: Viewer,
      request: () => ({}),
      answer: (me) => {
        // Fails on one that tells nothing.
        grantsIn(me);
        return me;
      },
    }),
  ),

  companyProfile: t.field(
    read(GetCompanyProfile, {
      description: 'The details of the company that customers see.',
      type: CompanyProfile,
      request: () => ({}),
      answer: ({ companyProfile }) => companyProfile,
    }),
  ),
}));
