import { useContext } from 'react';
import type { StockPartsFragment } from './gql/graphql.ts';
import { Problems } from './problems.ts';

/** How much of a product is free to take, in all and at each location. */
export function Stock({ product }: { readonly product: StockPartsFragment | null }) {
  const { isStockForbidden } = useContext(Problems);
  if (product?.hasInfiniteStock) return 'never runs out';
  const balances = product?.inventoryBalances?.nodes;
  if (!balances) return <span className="unknown">{isStockForbidden ? 'not allowed' : 'not known'}</span>;
  // Counts are 64 bits wide: as numbers they could lose digits.
  const available = balances.reduce((sum, balance) => sum + BigInt(balance.available), 0n);
  return (
    <>
      <span className={available === 0n ? 'out' : undefined}>{available.toString()} available</span>
      {balances.length > 1 && (
        <small>
          {balances.map(({ location, available: here }) => (
            <span key={location?.id ?? ''}>
              {location?.name ?? 'elsewhere'}: {here}
            </span>
          ))}
        </small>
      )}
    </>
  );
}
