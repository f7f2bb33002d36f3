import type { Context } from '../../context.ts';
import type { BlockerCode } from '../../failures/errorCodes.ts';
import { type Blocker, invalidInput, type ValidationIssue } from '../../failures/failures.ts';
import { Product, ProductKind } from '../../schema/catalog/catalog.ts';
import { ASSUMED_LIST_SIZE } from '../../schema/cost/listSizes.ts';
import { InventoryLocation, InventoryLocationKind, type StockBlocker } from '../../schema/inventory/inventory.ts';
import type { InputPath } from '../../schema/kit/inputPaths.ts';
import { ListInventoryBalances } from '../../upstream/contract/generated/operations.ts';
import type { InventoryLocationRecord, ProductRecord } from '../../upstream/contract/generated/records.ts';
import { fetchCurrent } from '../kit/reconcile.ts';

/** Maximum number of balances that are read to explain one rejection. Chosen: a blocked move of a hundred lines must not exhaust the key's quota. */
const MAX_BALANCES = 20;

/** An ID in the input, and its path. The ID is undefined if the input omits it. */
type IdReference = readonly [id: string | undefined, path: InputPath];

/** Available units of a product that a mutation takes from a location, or reserves there. */
interface Withdrawal {
  readonly productId: string | undefined;
  readonly locationId: string | undefined;
  readonly quantity: string | undefined;
  /** InputPath of the quantity in the input. */
  readonly path: InputPath;
}

/** What a mutation of stock needs: products whose stock can change, locations that hold stock, and available units. */
interface StockNeeds {
  readonly products?: readonly IdReference[];
  readonly locations?: readonly IdReference[];
  readonly withdrawals?: readonly Withdrawal[];
}

const block = (code: BlockerCode, path: InputPath, message: string): StockBlocker => ({ code, path, message });

function checkProduct({ name, type, isActive, hasInfiniteStock }: ProductRecord, path: InputPath): StockBlocker | null {
  if (!isActive) return block('PRODUCT_INACTIVE', path, `${name} is inactive, so its stock can’t be changed.`);
  const isStocked = ProductKind.fromWire(type) === 'SIMPLE' && !hasInfiniteStock;
  return isStocked ? null : block('PRODUCT_NOT_STOCKED', path, `${name} has no stock, because it’s a bundle or never runs out.`);
}

function checkLocation({ name, kind, isActive }: InventoryLocationRecord, path: InputPath): StockBlocker | null {
  if (!isActive) return block('LOCATION_INACTIVE', path, `${name} is inactive. Choose another location.`);
  return InventoryLocationKind.fromWire(kind) === 'VIRTUAL'
    ? block('LOCATION_NOT_STOCKED', path, `${name} is a virtual location, which holds no stock. Choose another location.`)
    : null;
}

/** The first use of each ID. */
const listDistinct = (references: readonly IdReference[]) => [...new Map([...references].reverse()).entries()].reverse();

/** Reads why the upstream rejects a change of stock. A record that the key can't read explains nothing. */
export async function findStockBlockers(
  { products = [], locations = [], withdrawals = [] }: StockNeeds,
  context: Context,
): Promise<readonly Blocker[]> {
  const check = async <RecordShape>(read: Promise<RecordShape | null>, find: (record: RecordShape) => StockBlocker | null) => {
    const record = await read.catch(() => null);
    return record && find(record);
  };
  const records = await Promise.all([
    ...listDistinct(products).map(([id, path]) => check(fetchCurrent(Product, id, context), (product) => checkProduct(product, path))),
    ...listDistinct(locations).map(([id, path]) =>
      check(fetchCurrent(InventoryLocation, id, context), (location) => checkLocation(location, path)),
    ),
  ]);
  const found = records.filter((blocker) => blocker !== null);
  // Such a product or location has no balance.
  const blockers = found.length > 0 ? found : await findShortages(withdrawals, context);
  return blockers.slice(0, ASSUMED_LIST_SIZE);
}

/** Reads where stock is insufficient: once for each product and location, at the first line that exceeds it. */
async function findShortages(withdrawals: readonly Withdrawal[], { upstream }: Context): Promise<readonly StockBlocker[]> {
  const places = Map.groupBy(withdrawals, ({ productId, locationId }) => `${productId} ${locationId}`);
  const shortages = await Promise.all(
    [...places.values()].slice(0, MAX_BALANCES).map(async (lines): Promise<StockBlocker | null> => {
      const { productId = '', locationId = '' } = lines[0] ?? {};
      const request = { productId, locationId, page: 1, pageSize: 1 };
      const response = await upstream.call(ListInventoryBalances, request).catch(() => null);
      if (!response) return null;
      const available = response.balances[0]?.available ?? '0';
      let required = 0n;
      let path: InputPath | undefined;
      for (const line of lines) {
        required += BigInt(line.quantity ?? 0);
        if (required > BigInt(available)) path ??= line.path;
      }
      const message = `Only ${available} of the required ${required} units are available.`;
      if (!path) return null;
      const quantities = { availableQuantity: available, requiredQuantity: String(required) };
      return { ...block('INSUFFICIENT_STOCK', path, message), productId, locationId, ...quantities };
    }),
  );
  return shortages.filter((blocker) => blocker !== null);
}

/** Finds the sources of a move that are its destination. Paths are those in the request. */
export const findSameLocations = (destinationId: string | undefined, sources: readonly IdReference[]): readonly ValidationIssue[] =>
  sources.flatMap(([sourceId, path]) =>
    sourceId !== undefined && sourceId === destinationId
      ? invalidInput(path, 'SAME_LOCATION', 'must be another location than the destination.').issues
      : [],
  );
