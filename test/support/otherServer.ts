import { TestRunner } from 'vitest';
import { operations } from '../../src/upstream/contract/generated/operations.ts';

/** Another server to run the sandbox's tests against: `FIDELITY_URL`, with an API key that has all permissions in `FIDELITY_KEY`. */
export interface OtherServer {
  readonly url: string;
  readonly key: string;
  /** Whether tests can change the server's data: `FIDELITY_WRITES=true`. */
  readonly mayWrite: boolean;
}

/** Undefined if tests use their own sandboxes, which is the default. */
export const otherServer = readOtherServer(process.env);

function readOtherServer({ FIDELITY_URL: url, FIDELITY_KEY: key, FIDELITY_WRITES }: NodeJS.ProcessEnv): OtherServer | undefined {
  if (!url) return undefined;
  if (!key) throw new Error('FIDELITY_URL is set, and FIDELITY_KEY is not. Give the API key of a member who may do everything.');
  return { url: url.replace(/\/+$/, ''), key, mayWrite: FIDELITY_WRITES === 'true' };
}

/** Skips the current test, because it can't run against another server. */
export function skip(reason: string): never {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error(`This requires a running test, because it can skip the test: ${reason}.`);
  return test.context.skip(reason);
}

const effects = new Map(operations.map(({ path, effect }) => [path, effect]));

/** Skips the current test if its request would change data and `FIDELITY_WRITES` isn't set, or if it refers to a record that the server may not have. */
export function requireSendable({ mayWrite }: OtherServer, path: string, body: string): void {
  const unknown = /demo record: [\w ]+/.exec(body)?.[0];
  if (unknown) skip(`it takes the ${unknown}`);
  if (!mayWrite && (effects.get(path) ?? 'READ') !== 'READ') skip('it writes, and FIDELITY_WRITES is not true');
}

type Row = Readonly<Record<string, string>>;

/** Lists with records that every workspace contains, by the name of the demo records, with a predicate for the rows to use. */
const LISTS: Readonly<Record<string, readonly [operation: string, member: string, counts?: (row: Row) => boolean]>> = {
  contact: ['Contact/ListContacts', 'contacts'],
  customer: ['Customer/SearchCustomers', 'customers', ({ contactId }) => !contactId],
  portfolio: ['Customer/SearchCustomers', 'customers', ({ contactId }) => Boolean(contactId)],
  product: ['Catalog/ListProducts', 'products'],
  location: ['Inventory/SearchInventoryLocations', 'locations'],
};

/** IDs of the server's records by names such as `customer 0`, in list order. */
export async function fetchRecordIds({ url, key }: OtherServer): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    Object.entries(LISTS).map(async ([kind, [operation, member, counts = () => true]]) => {
      const response = await fetch(`${url}/public-api/publicapi.v1.${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ pageSize: 100 }),
      });
      if (!response.ok) return [];
      const rows = ((await response.json()) as Readonly<Record<string, readonly Row[]>>)[member] ?? [];
      return rows.filter(counts).map(({ id = '' }, index) => [`${kind} ${index}`, id] as const);
    }),
  );
  return new Map(found.flat());
}
