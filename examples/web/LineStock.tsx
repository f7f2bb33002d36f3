import { useContext } from 'react';
import type { StockPartsFragment } from './gql/graphql.ts';
import { StockForbidden } from './problems.ts';

/** The available quantity of a product, in total and by location. */
export function LineStock({ product }: { readonly product: StockPartsFragment | null }) {
  const isForbidden = useContext(StockForbidden);
  if (product?.hasInfiniteStock) return 'unlimited';
  const balances = product?.inventoryBalances?.nodes;
  if (!balances) return <span className="unknown">{isForbidden ? 'no permission' : 'unknown'}</span>;
  // A quantity that the graph couldn't read is null, with an error. The total is then unknown, too.
  const available = balances.reduce<number | null>((sum, { available: here }) => (sum === null || here === null ? null : sum + here), 0);
  return (
    <>
      <span className={available === 0 ? 'out' : undefined}>{available === null ? 'unknown' : `${available} available`}</span>
      {balances.length > 1 && (
        <small>
          {balances.map(({ location, available: here }) => (
            <span key={location?.id ?? ''}>
              {location?.name ?? 'Unknown location'}: {here ?? 'unknown'}
            </span>
          ))}
        </small>
      )}
    </>
  );
}
