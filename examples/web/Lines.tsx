import type { MoneyPartsFragment, StockPartsFragment } from './gql/graphql.ts';
import { LineStock } from './LineStock.tsx';
import { formatAmount } from './money.ts';

interface Line {
  readonly id: string;
  readonly quantity: number;
  readonly productName: string | null;
  readonly total: MoneyPartsFragment | null;
  /** Undefined if the stock isn't displayed. */
  readonly product?: StockPartsFragment | null;
}

interface LinesProps {
  readonly lines: readonly Line[];
  /** The quantities of the inputs by line ID, while the lines are edited. */
  readonly edited?: ReadonlyMap<string, number> | undefined;
}

/** Table of the lines of a quote or order, with the stock of each product. Quantities are inputs while the lines are edited. */
export function Lines({ lines, edited }: LinesProps) {
  const hasStock = lines.some(({ product }) => product !== undefined);
  return (
    <table className={edited && 'edited'}>
      <thead>
        <tr>
          <th scope="col" className="number quantity">
            Qty
          </th>
          <th scope="col">Product</th>
          {hasStock && (
            <th scope="col" className="stock">
              Stock
            </th>
          )}
          {!edited && (
            <th scope="col" className="number sum">
              Total
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ id, quantity, productName, total, product = null }) => (
          <tr key={id}>
            <td className="number">
              {edited ? (
                <input
                  type="number"
                  name={id}
                  defaultValue={edited.get(id) ?? quantity}
                  min={1}
                  max={100_000}
                  required
                  aria-label={`Quantity of ${productName}`}
                />
              ) : (
                quantity
              )}
            </td>
            <th scope="row">{productName}</th>
            {hasStock && (
              <td>
                <LineStock product={product} />
              </td>
            )}
            {!edited && <td className="number">{formatAmount(total)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
