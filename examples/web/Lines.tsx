import type { MoneyPartsFragment, PriceType, StockPartsFragment } from './gql/graphql.ts';
import { LineStock } from './LineStock.tsx';
import { formatAmount, isZero } from './money.ts';

interface Line {
  readonly id: string;
  readonly quantity: number;
  readonly productName: string | null;
  readonly priceType: PriceType;
  readonly total: MoneyPartsFragment | null;
  /** Undefined if the stock isn't displayed. */
  readonly product?: StockPartsFragment | null;
}

interface Discount {
  readonly discountId: string;
  readonly name: string | null;
  readonly amountOnce: MoneyPartsFragment | null;
  readonly amountMonthly: MoneyPartsFragment | null;
  readonly amountYearly: MoneyPartsFragment | null;
}

const PERIODS: Readonly<Partial<Record<PriceType, string>>> = { MONTHLY: 'per month', YEARLY: 'per year' };

/** The discounts of a quote, which its totals already exclude. */
function Discounts({ discounts, columns }: { readonly discounts: readonly Discount[]; readonly columns: number }) {
  const amounts = discounts.flatMap(({ discountId, name, amountOnce, amountMonthly, amountYearly }) => [
    { id: `${discountId} once`, name, amount: amountOnce, period: '' },
    { id: `${discountId} monthly`, name, amount: amountMonthly, period: PERIODS.MONTHLY },
    { id: `${discountId} yearly`, name, amount: amountYearly, period: PERIODS.YEARLY },
  ]);
  return amounts
    .filter(({ amount }) => !isZero(amount))
    .map(({ id, name, amount, period }) => (
      <tr key={id}>
        <th scope="row" colSpan={columns}>
          Discount: {name ?? 'without a name'}
        </th>
        <td className="number">
          −{formatAmount(amount)} {period && <small>{period}</small>}
        </td>
      </tr>
    ));
}

interface LinesProps {
  readonly lines: readonly Line[];
  readonly discounts?: readonly Discount[];
  /** The quantities of the inputs by line ID, while the lines are edited. */
  readonly edited?: ReadonlyMap<string, number> | undefined;
}

/** Table of the lines of a quote or order, with the stock of each product. Quantities are inputs while the lines are edited. */
export function Lines({ lines, discounts = [], edited }: LinesProps) {
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
              Excl. VAT
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ id, quantity, priceType, productName, total, product = null }) => (
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
            {!edited && (
              <td className="number">
                {formatAmount(total)} {PERIODS[priceType] && <small>{PERIODS[priceType]}</small>}
              </td>
            )}
          </tr>
        ))}
      </tbody>
      {!edited && discounts.length > 0 && (
        <tfoot>
          <Discounts discounts={discounts} columns={hasStock ? 3 : 2} />
        </tfoot>
      )}
    </table>
  );
}
