import { useQuery } from '@apollo/client/react';
import type { BalancePartsFragment, ProductStockQuery } from '../gql/graphql.ts';
import { ReadStatus } from '../ReadStatus.tsx';
import { useTitle } from '../useTitle.ts';
import { ProductStock } from './documents.ts';
import { MoveForm } from './MoveForm.tsx';

type Product = NonNullable<ProductStockQuery['product']>;

/** Why a product's stock can't be moved. Empty if it can. */
function explainUnmovable({ kind, isActive, hasInfiniteStock }: Product): string {
  if (hasInfiniteStock) return 'This product never runs out, so it has no stock to move.';
  if (kind === 'BUNDLE') return 'This is a bundle. Its parts are in stock, not the bundle itself.';
  return isActive ? '' : 'This product is inactive, so its stock can’t be moved.';
}

const NAMES = { EAN: 'EAN', MANUFACTURER: 'Manufacturer', SUPPLIER: 'Supplier', OTHER: 'Number' } as const;

const COLUMNS = [
  { field: 'available', name: 'Available' },
  { field: 'reserved', name: 'Reserved' },
  { field: 'onHand', name: 'On hand' },
  { field: 'inbound', name: 'Inbound' },
] as const;

/** The sums of some balances. A sum is unknown if one of its quantities is. */
const Sums = ({ balances }: { readonly balances: readonly BalancePartsFragment[] }) =>
  COLUMNS.map(({ field }) => {
    const sum = balances.reduce<number | null>(
      (total, { [field]: quantity }) => (total === null || quantity === null ? null : total + quantity),
      0,
    );
    return (
      <td key={field} className={sum === 0 && field === 'available' ? 'number out' : 'number'}>
        {sum ?? '?'}
      </td>
    );
  });

/** The stock of a product at each location. */
function Balances({ balances }: { readonly balances: readonly BalancePartsFragment[] }) {
  return (
    <table className="balances">
      <thead>
        <tr>
          <th scope="col">Location</th>
          {COLUMNS.map(({ field, name }) => (
            <th key={field} scope="col" className="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {balances.map((balance) => (
          <tr key={balance.id}>
            <th scope="row">
              {balance.location?.name ?? 'Unknown location'} <small>{balance.location?.code}</small>
            </th>
            <Sums balances={[balance]} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <Sums balances={balances} />
        </tr>
      </tfoot>
    </table>
  );
}

const getPlace = ({ location }: BalancePartsFragment) => location?.name ?? '';

/** A product with its stock per location, which can be moved. */
export function ProductCard({ id }: { readonly id: string }) {
  const read = useQuery(ProductStock, { variables: { id }, fetchPolicy: 'cache-and-network', errorPolicy: 'all' });
  const { data, error, refetch } = read;
  const product = data?.product;
  useTitle(product?.name ?? 'Stock');
  const balances = (product?.inventoryBalances?.edges ?? [])
    .map(({ node }) => node)
    .sort((one, other) => getPlace(one).localeCompare(getPlace(other)));
  const explanation = product && explainUnmovable(product);
  return (
    <>
      <ReadStatus read={read}>{product === null && !error && <p className="notice failed">Product not found.</p>}</ReadStatus>
      {product && (
        <article className="card" aria-labelledby={id}>
          <header>
            <h3 id={id}>{product.name}</h3>
            {!product.isActive && <span className="badge">inactive</span>}
          </header>
          <p className="unknown">
            {[product.sku, ...(product.identifiers ?? []).map(({ kind, value }) => `${NAMES[kind]} ${value}`)].filter(Boolean).join(' · ')}
          </p>
          {!product.inventoryBalances && <p className="unknown">The stock couldn’t be loaded.</p>}
          {product.inventoryBalances && balances.length === 0 && !explanation && <p className="unknown">No stock at any location.</p>}
          {balances.length > 0 && <Balances balances={balances} />}
          {explanation && <p>{explanation}</p>}
          {balances.length > 0 && !explanation && (
            <MoveForm
              productId={id}
              balances={balances}
              locations={data?.inventoryLocations?.nodes ?? []}
              reload={async () => !(await refetch()).error}
            />
          )}
        </article>
      )}
    </>
  );
}
