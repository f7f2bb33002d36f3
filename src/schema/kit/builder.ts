import SchemaBuilder, { type InputFieldBuilder } from '@pothos/core';
import DirectivesPlugin from '@pothos/plugin-directives';
import ErrorsPlugin from '@pothos/plugin-errors';
import FederationPlugin from '@pothos/plugin-federation';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { Context } from '../../context.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import { ID_DESCRIPTION } from './globalIds.ts';

export interface GraphTypes {
  Context: Context;
  DefaultFieldNullability: true;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  DefaultAuthStrategy: 'all';
  AuthScopes: { operation: AnyOperation };
  Scalars: {
    ID: { Input: string; Output: string };
    CountryCode: { Input: string; Output: string };
    CurrencyCode: { Input: string; Output: string };
    Date: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    Decimal: { Input: string; Output: string };
    HexColor: { Input: string; Output: string };
    Int64: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    TimeZone: { Input: string; Output: string };
    URL: { Input: string; Output: string };
    Version: { Input: string; Output: string };
    _Any: { Input: object; Output: object };
  };
}

export type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

/** Builder of the fields of an object type. */
export type ObjectFields<Parent> = PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>;
export type InputFields = InputFieldBuilder<Types, 'InputObject'>;

export const builder = new SchemaBuilder<GraphTypes>({
  // Pothos applies plugins from last to first, so the first one listed wraps all the others.
  plugins: [
    'resolver', // the graph's own steps, in resolverPlugin.ts
    ErrorsPlugin, // turns errors of the layers below, including missing scopes, into members of the result union
    ScopeAuthPlugin,
    RelayPlugin,
    DirectivesPlugin,
    FederationPlugin,
  ],
  errors: { directResult: true },
  scopeAuth: {
    defaultStrategy: 'all',
    // The session throws an error that names every missing scope. Returning false would name none.
    authScopes: ({ upstream }) => ({
      operation: (operation) => upstream.requireScopes(operation)?.then(() => true) ?? true,
    }),
  },
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    idFieldOptions: { description: ID_DESCRIPTION },
    edgesFieldOptions: { nullable: { list: false, items: false }, description: 'Items of this page, each with its cursor.' },
    nodeFieldOptions: { nullable: false, description: 'The item at the end of the edge.' },
    cursorFieldOptions: { description: 'Cursor for pagination, to pass as `after` or `before`.' },
    pageInfoFieldOptions: { nullable: false, description: 'Cursors of this page, and whether there are more pages.' },
    pageInfoTypeOptions: {
      shareable: true,
      description: 'Pagination state of a connection: the cursors of a page, and whether there are more pages.',
    },
    hasNextPageFieldOptions: { description: 'Whether more items follow this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether more items precede this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first item of this page, to pass as `before`. Null if the page is empty.' },
    endCursorFieldOptions: { description: 'Cursor of the last item of this page, to pass as `after`. Null if the page is empty.' },
    firstArgOptions: { description: 'Returns the first _n_ items. 0–100, default 25 unless `last` is set.' },
    afterArgOptions: { description: 'Returns items after this cursor.' },
    lastArgOptions: {
      description:
        'Returns the last _n_ items. 0–100. Requires `before` unless the list is time-based, is sorted or filtered by the graph, or its end is returned by the Workspace API in one call.',
    },
    beforeArgOptions: { description: 'Returns items before this cursor.' },
    nodeTypeOptions: { description: 'An object that can be looked up by its global ID.' },
    // Replaced in nodes.ts, so that an invalid ID only fails its own item.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
});

builder.queryType({ description: 'Root of all queries.' });
builder.mutationType({
  description: 'Root of all mutations. Each returns a union of its payload and the errors that a client can handle.',
});
builder.subscriptionType({ description: 'Root of all subscriptions, which are sent as server-sent events.' });
