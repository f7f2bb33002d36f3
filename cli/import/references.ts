import { isJsonObject } from '../../src/lib/json.ts';
import { StartError } from '../../src/lib/startup.ts';
import { createInvalidError, requireObject, requireObjects } from '../bulk/graphResponse.ts';
import type { Pacer } from '../bulk/pacer.ts';
import type { InputColumn } from './columns.ts';
import { normalizeMatch } from './match.ts';
import type { RowStore } from './rowStore.ts';

/** Number of values that one request looks up. Chosen: a page of results of most APIs, and far below the graph's limits. */
const BATCH = 20;

/** How records are looked up. */
interface Lookup {
  /** Selects the records that match `$value`, with their IDs. */
  readonly select: (by: string, variable: string) => string;
  /** What they can be looked up by. */
  readonly by: readonly string[];
}

/** Records that match a list's `query`. Its results also have the value in other fields, or only a part of it. */
const search = (list: string, ...by: readonly string[]): Lookup => ({
  by,
  select: (field, variable) => `${list}(query: ${variable}, first: 100) { pageInfo { hasNextPage } nodes { id value: ${field} } }`,
});

/** Records of a list that isn't paged. */
const list = (name: string, ...by: readonly string[]): Lookup => ({ by, select: (field) => `${name} { id value: ${field} }` });

const byReferenceNumber = (name: string): Lookup => ({
  by: ['referenceNumber'],
  select: (_, variable) => `${name}(filter: { referenceNumber: { eq: ${variable} } }, first: 2) { nodes { id value: referenceNumber } }`,
});

const products = search('products', 'sku', 'name');
const inventoryLocations = search('inventoryLocations', 'code', 'name');
const roles = search('roles', 'name');
const teams = search('teams', 'name');

/** Lookups by the last field of a path. */
const LOOKUPS: Readonly<Record<string, Lookup>> = {
  agendaId: list('agendas', 'name'),
  appointmentTypeId: list('appointmentTypes', 'name'),
  contactId: search('contacts', 'email'),
  customerId: {
    by: ['referenceNumber', 'email', 'phone', 'other'],
    select: (by, variable) => `customersByIdentifier(by: { ${by}: ${variable} }) { id }`,
  },
  memberId: search('members', 'email', 'displayName'),
  orderId: byReferenceNumber('orderSearch'),
  productId: {
    by: [...products.by, 'identifier'],
    select: (by, variable) =>
      by === 'identifier' ? `productIdentifier(value: ${variable}) { product { id } }` : products.select(by, variable),
  },
  quoteId: byReferenceNumber('quoteSearch'),
  roleId: roles,
  roleIds: roles,
  teamId: teams,
  teamIds: teams,
};

/** Locations of customers, where work orders take place, have other IDs than locations of stock. */
function getLookup(mutation: string, { path }: Pick<InputColumn, 'path'>): Lookup | undefined {
  const field = String(path.at(-1));
  return /locationId$/i.test(field) && mutation.startsWith('inventory') ? inventoryLocations : LOOKUPS[field];
}

/** What the records of a field can be looked up by. Empty if it isn't a reference. */
export const listLookups = (mutation: string, field: string): readonly string[] =>
  getLookup(mutation, { path: field.split('.') })?.by ?? [];

interface Found {
  readonly id: string;
  /** What was looked up. Undefined if the lookup only returns records that match. */
  readonly value?: string | null;
}

/** A page of results. */
interface Page {
  readonly nodes: readonly Found[];
  readonly hasNextPage?: boolean;
}

/** Reads a result of one of the lookups: null, a list, a page, or a product identifier. */
function requirePage(result: unknown): Page {
  if (result === null) return { nodes: [] };
  if (Array.isArray(result)) return { nodes: requireFound(result) };
  const { nodes, product, pageInfo } = requireObject(result, 'of a lookup');
  return {
    nodes: requireFound(product === undefined ? nodes : [product]),
    hasNextPage: isJsonObject(pageInfo) && pageInfo.hasNextPage === true,
  };
}

function requireFound(values: unknown): readonly Found[] {
  const found = requireObjects(values, 'of a lookup');
  if (found.every(({ id }) => typeof id === 'string')) return found as unknown as readonly Found[];
  throw createInvalidError('has a record without an ID');
}

function toReference(result: unknown, text: string, { lookup: by, isOptional = false }: InputColumn): Reference {
  const { nodes, hasNextPage } = requirePage(result);
  const normalize = (value: string) => (isOptional ? normalizeMatch(value) : value);
  const isFound = ({ value }: Found) => value === undefined || (value !== null && normalize(value) === normalize(text));
  const [first, ...others] = nodes.filter(isFound);
  const advice = `by ${by}. ${isOptional ? 'Change its record, or leave the row out.' : 'Use an ID.'}`;
  if (hasNextPage) return { problem: `has more than ${nodes.length} results ${advice}` };
  if (!first) return isOptional ? { id: null } : { problem: `matches no record ${advice}` };
  return others.length > 0 ? { problem: `matches ${others.length + 1} records ${advice}` } : { id: first.id };
}

/** The ID that a value refers to, or why there's none. Null if there's no record, and none is required. */
type Reference = { readonly id: string | null } | { readonly problem: string };

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
  async load(uses: readonly (readonly [column: InputColumn, value: string])[], store: RowStore): Promise<void> {
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
    // Lists that are read as a whole have no variable.
    const declared = selections.flatMap((selection) => /\$v\d+/.exec(selection) ?? []);
    const document = `query ${declared.length > 0 ? `(${declared.map((name) => `${name}: String!`).join(' ')})` : ''} { ${selections.join(' ')} }`;
    const { data } = await this.#pacer.request(document, variables, { calls: batch.length, depth: 2 });
    for (const [index, [key, [column, value]]] of batch.entries()) this.#loaded.set(key, toReference(data[`r${index}`], value, column));
  }
}
