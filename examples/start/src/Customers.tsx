import { useQuery } from '@apollo/client/react';
import { useRecordsChanged } from '@workspace-graph/client/react';
import { ListCustomers } from './documents.ts';

export function Customers({ url, apiKey }: { url: string; apiKey: string }) {
  const { data, refetch } = useQuery(ListCustomers);
  const headers = () => ({ authorization: `Bearer ${apiKey}` });
  const error = useRecordsChanged({ url, types: ['CUSTOMER'], headers }, () => void refetch());
  return (
    <>
      {error && <p role="alert">This list isn’t updated: {error.message}</p>}
      <ul>
        {data?.customers?.nodes?.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </>
  );
}
