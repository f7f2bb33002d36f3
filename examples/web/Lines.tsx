import type { OrderPartsFragment, QuotePartsFragment } from './gql/graphql.ts';
import { formatAmount } from './money.ts';
import { Stock } from './Stock.tsx';

type Line = (OrderPartsFragment | QuotePartsFragment)['lines'][number];

function Quantity({ line: { id, quantity, productName }, isEdited }: { readonly line: Line; readonly isEdited: boolean }) {
  if (!isEdited) return quantity;
  return <input type="number" name={id} defaultValue={quantity} min={1} max={100_000} required aria-label={`Quantity of ${productName}`} />;
}

/** Table of the lines of a quote or order, with the stock of each product. Quantities are inputs while the lines are edited. */
export function Lines({ lines, isEdited = false }: { readonly lines: readonly Line[]; readonly isEdited?: boolean }) {
  return (
    <table className={isEdited ? 'edited' : undefined}>
      <thead>
        <tr>
          <th scope="col" className="number quantity">
            Qty
          </th>
          <th scope="col">Product</th>
          <th scope="col" className="stock">
            Stock
          </th>
          {!isEdited && (
            <th scope="col" className="number sum">
              Total
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td className="number">
              <Quantity line={line} isEdited={isEdited} />
            </td>
            <th scope="row">{line.productName}</th>
            <td>
              <Stock product={line.product} />
            </td>
            {!isEdited && <td className="number">{formatAmount(line.total)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
