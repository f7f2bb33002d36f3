import type { Pacer } from '../bulk/pacer.ts';
import { StartError } from '../lib/startup.ts';
import type { InputColumn } from './columns.ts';

/** Number of values that one request looks up. Chosen: a page of results of most APIs, and far below the graph's limits. */
const BATCH = 20;

/** How records are looked up. */
interface Lookup {
  /** Selects the records that match `$value`, with their IDs. */
  readonly select: (by: string, variable: string) => string;
  /** What they can be looked up by. */
  readonly by: readonly string[];
}

/** Records that match a list's `query`: only those whose field equals the value count. */
const searchList =
  (list: string): Lookup['select'] =>
  (by, variable) =>
    `${list}(query: ${variable}, first: 20) { nodes { id value: ${by} } }`;

const CUSTOMER: Lookup = {
  by: ['referenceNumber', 'email', 'phone', 'other'],
  select: (by, variable) => `customersByIdentifier(by: { ${by}: ${variable} }) { id }`,
};
const searchProducts = searchList('products');
const PRODUCT: Lookup = {
  by: ['sku', 'name', 'identifier'],
  select: (by, variable) =>
    by === 'identifier' ? `productIdentifier(value: ${variable}) { product { id } }` : searchProducts(by, variable),
};
const LOCATION: Lookup = { by: ['code', 'name'], select: searchList('inventoryLocations') };

/** Lookups by the last field of a path. Locations of customers, where work orders take place, have other IDs than locations of stock. */
function getLookup(mutation: string, { path }: InputColumn): Lookup | undefined {
  const field = String(path.at(-1));
  if (field === 'customerId') return CUSTOMER;
  if (field === 'productId') return PRODUCT;
  return /locationId$/i.test(field) && mutation.startsWith('inventory') ? LOCATION : undefined;
}

interface Found {
  readonly id: string;
  readonly value?: string | null;
}

/** A result of one of the lookups. */
type LookupResult = readonly Found[] | { readonly nodes: readonly Found[] } | { readonly product: Found } | null;

function toFound(result: LookupResult, value: string): readonly Found[] {
  if (result === null) return [];
  if ('nodes' in result) return result.nodes.filter((each) => each.value === value);
  return 'product' in result ? [result.product] : result;
}

/** The ID that a value refers to, or why there's none. */
type Reference = { readonly id: string } | { readonly problem: string };

/** Stores what was looked up, because a file can have more values than fit into memory. As JSON. */
export interface ReferenceStore {
  findReference(key: string): string | undefined;
  addReference(key: string, json: string): void;
}

/** The records that columns refer to by other values than IDs. Each value is looked up once. */
export class References {
  readonly #pacer: Pacer;
  readonly #mutation: string;
  /** By column and value, for the rows that were loaded last. */
  readonly #loaded = new Map<string, Reference>();

  constructor(pacer: Pacer, mutation: string) {
    this.#pacer = pacer;
    this.#mutation = mutation;
  }

  /** Throws StartError for a column whose records can't be looked up this way. */
  check(columns: readonly InputColumn[]): void {
    for (const column of columns) {
      if (column.lookup === undefined) continue;
      const lookup = getLookup(this.#mutation, column);
      if (lookup?.by.includes(column.lookup)) continue;
      const choice = lookup ? `Look them up by ${lookup.by.join(', ')}` : 'Use IDs';
      throw new StartError(`Records of the column ${column.header} can’t be looked up by ${column.lookup}. ${choice}.`);
    }
  }

  /** Looks up the values of columns, unless the store has them. */
  async load(uses: readonly (readonly [column: InputColumn, value: string])[], store: ReferenceStore): Promise<void> {
    this.#loaded.clear();
    const open: (readonly [key: string, use: readonly [InputColumn, string]])[] = [];
    for (const [key, use] of new Map(uses.map((each) => [this.#createKey(...each), each]))) {
      const known = store.findReference(key);
      if (known === undefined) open.push([key, use]);
      else this.#loaded.set(key, JSON.parse(known) as Reference);
    }
    for (let start = 0; start < open.length; start += BATCH) await this.#loadBatch(open.slice(start, start + BATCH));
    for (const [key] of open) store.addReference(key, JSON.stringify(this.#loaded.get(key)));
  }

  /** The reference of a value of the rows that were loaded last. */
  find(column: InputColumn, value: string): Reference {
    return this.#loaded.get(this.#createKey(column, value)) ?? { problem: 'wasn’t looked up.' };
  }

  #createKey(column: InputColumn, value: string): string {
    return JSON.stringify([column.path.at(-1), column.lookup, value]);
  }

  async #loadBatch(batch: readonly (readonly [key: string, use: readonly [InputColumn, string]])[]): Promise<void> {
    const selections = batch.map(
      ([, [column]], index) => `r${index}: ${getLookup(this.#mutation, column)?.select(column.lookup ?? '', `$v${index}`)}`,
    );
    const variables = Object.fromEntries(batch.map(([, [, value]], index) => [`v${index}`, value]));
    const document = `query (${batch.map((_, index) => `$v${index}: String!`).join(', ')}) { ${selections.join(' ')} }`;
    const { data } = await this.#pacer.request(document, variables, { calls: batch.length, depth: 2 });
    for (const [index, [key, [column, value]]] of batch.entries()) {
      const found = toFound(data[`r${index}`], value);
      const [first] = found;
      const problem = `${found.length === 0 ? 'matches no record' : `matches ${found.length} records`} by ${column.lookup}. Use an ID.`;
      this.#loaded.set(key, first && found.length === 1 ? { id: first.id } : { problem });
    }
  }
}
