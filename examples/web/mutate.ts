import type { ApolloClient, OperationVariables } from '@apollo/client';

/**
 * Sends a mutation and returns its data. Throws if it has no result. With a result, the mutation is complete, even if part of a payload, such as the stock,
 * couldn’t be read.
 */
export async function mutate<Data, Variables extends OperationVariables>(
  client: ApolloClient,
  options: ApolloClient.MutateOptions<Data, Variables>,
) {
  const { data, error } = await client.mutate<Data, Variables>({ ...options, errorPolicy: 'all' });
  if (data && Object.values(data).some((result) => result !== null)) return data;
  throw error ?? new Error('The response has no data.');
}
