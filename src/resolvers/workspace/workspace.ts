import { builder } from '../../schema/kit/builder.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { describe } from '../../schema/kit/records.ts';
import { CompanyProfile, Viewer } from '../../schema/workspace/workspace.ts';
import { grantsIn } from '../../upstream/access/grants.ts';
import { GetCompanyProfile, Me } from '../../upstream/contract/generated/operations.ts';
import { answered } from '../kit/answered.ts';

builder.queryFields((t) => ({
  viewer: t.field({
    ...describe(Me, 'The caller: the workspace, the key and its scopes.'),
    type: Viewer,
    authScopes: { operation: Me },
    extensions: NULL_ONLY_WITH_ERROR,
    resolve: async (_root, _args, { upstream }) => {
      const answer = await upstream.call(Me, {});
      // Fails on one that tells nothing.
      grantsIn(answer);
      return answer;
    },
  }),

  companyProfile: t.field({
    ...describe(GetCompanyProfile, 'The details of the company that customers see.'),
    type: CompanyProfile,
    authScopes: { operation: GetCompanyProfile },
    extensions: NULL_ONLY_WITH_ERROR,
    resolve: async (_root, _args, { upstream }) => answered((await upstream.call(GetCompanyProfile, {})).companyProfile, 'companyProfile'),
  }),
}));
