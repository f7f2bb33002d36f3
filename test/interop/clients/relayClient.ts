import {
  type ConcreteRequest,
  createOperationDescriptor,
  type Direction,
  Environment,
  fetchQuery,
  getPaginationMetadata,
  getPaginationVariables,
  getRefetchMetadata,
  getSingularSelector,
  Network,
  type ReaderFragment,
  RecordSource,
  Store,
  type Variables,
} from 'relay-runtime';
import { createFetch, missingFieldHandlers } from '../../../client/src/relay/index.ts';

/** A Relay program with the graph as its network and an empty store. */
export function createRelay(url: string, key = 'demo-owner'): Environment {
  const headers = { authorization: `Bearer ${key}` };
  const network = Network.create(createFetch({ url, headers: () => headers }));
  return new Environment({ network, store: new Store(new RecordSource()), missingFieldHandlers });
}

/** Fetches a query and retains its data. */
export async function fetch(environment: Environment, request: ConcreteRequest, variables: Variables) {
  environment.retain(createOperationDescriptor(request, variables));
  return (await fetchQuery(environment, request, variables).toPromise()) as Record<string, unknown>;
}

/** A list in the store. */
export interface Connection {
  readonly __id: string;
  readonly edges: readonly { readonly node: { readonly id: string } & Record<string, unknown> }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage?: boolean; readonly endCursor: string; startCursor: string };
}

/** A displayed list like that of `usePaginationFragment`. `parent` is the data of the query at the position of the fragment spread. */
export function paginate(environment: Environment, fragment: ReaderFragment, field: string, parent: unknown) {
  const selector = getSingularSelector(fragment, parent);
  const { paginationRequest, paginationMetadata } = getPaginationMetadata(fragment, 'the list');
  const { identifierInfo } = getRefetchMetadata(fragment, 'the list');
  const record = () => environment.lookup(selector).data as unknown as Record<string, Connection>;
  const read = (): Connection => {
    const connection = record()[field];
    if (!connection) throw new Error(`The store holds no ${field}.`);
    return connection;
  };
  return {
    read,
    ids: () => read().edges.map(({ node }) => node.id),
    load: async (direction: Direction, count: number) => {
      const { startCursor, endCursor } = read().pageInfo;
      const cursor = direction === 'forward' ? endCursor : startCursor;
      const base = { ...selector.owner.variables, ...selector.variables };
      const variables = getPaginationVariables(direction, count, cursor, base, {}, paginationMetadata);
      if (identifierInfo) variables[identifierInfo.identifierQueryVariableName] = record().id;
      await fetch(environment, paginationRequest, variables);
    },
  };
}
