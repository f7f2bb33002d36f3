import type { Context } from '../../context.ts';
import { readLargestPage } from '../../loaders/listScan.ts';
import { InventoryBalance } from '../../schema/inventory/inventory.ts';
import type { CostExtensions } from '../../schema/kit/costExtensions.ts';
import { createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { ListInventoryBalances } from '../../upstream/contract/generated/operations.ts';
import type { InventoryBalanceRecord } from '../../upstream/contract/generated/records.ts';

/** A product at a location. */
export type Stock = Pick<InventoryBalanceRecord, 'productId' | 'locationId'>;

/** The products of lines at a location. */
export const toStock = (lines: readonly { readonly productId?: string }[] = [], locationId = ''): readonly Stock[] =>
  lines.map(({ productId = '' }) => ({ productId, locationId }));

/** Reads the balances of a product at these locations: in one call, unless there are more locations than it returns. */
async function readBalances(
  productId: string,
  locationIds: ReadonlySet<string>,
  { upstream }: Context,
): Promise<readonly InventoryBalanceRecord[]> {
  const read = (locationId: string | undefined) =>
    readLargestPage(upstream, ListInventoryBalances, { productId, ...(locationId && { locationId }) });
  const [first] = locationIds;
  const { rows, hasMore } = await read(locationIds.size === 1 ? first : undefined);
  const found = rows.filter(({ locationId }) => locationIds.has(locationId));
  const missing = [...locationIds].filter((id) => hasMore && !found.some(({ locationId }) => locationId === id));
  const others = await Promise.all(missing.map(read));
  return [...found, ...others.flatMap((page) => page.rows)];
}

/**
 * Options of a payload field with the balances that a mutation changed. The option `payload.countItems` of the mutation predicts their number, which is the maximum
 * number of calls.
 */
export const changedBalances = <Shape>(listStock: (shape: Shape, context: Context) => readonly Stock[] | Promise<readonly Stock[]>) =>
  createOperationOptions(ListInventoryBalances, 'Current stock of each changed product and location. Costs one call per product.', {
    type: [InventoryBalance] as [typeof InventoryBalance],
    nullable: { list: true, items: false } as const,
    extensions: { ...NULL_ONLY_WITH_ERROR, isReadByItem: true } satisfies CostExtensions & object,
    resolve: async (shape: Shape, _args: object, context: Context) => {
      const byProduct = Map.groupBy(await listStock(shape, context), ({ productId }) => productId);
      const read = [...byProduct].map(([productId, stock]) =>
        readBalances(productId, new Set(stock.map(({ locationId }) => locationId)), context),
      );
      return (await Promise.all(read)).flat();
    },
  });
