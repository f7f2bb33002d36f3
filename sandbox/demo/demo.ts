import { createTables } from '../services.ts';
import { World, type WorldOptions } from '../world.ts';
import { seedBackorders } from './backorders.ts';
import { seedProducts } from './catalog.ts';
import { seedComments } from './comments.ts';
import { seedContacts } from './contacts.ts';
import { seedCustomers } from './customers.ts';
import { seedDataFields } from './dataFields.ts';
import { seedDiscounts } from './discounts.ts';
import { seedFiles } from './files.ts';
import { seedIdentifiers } from './identifiers.ts';
import { seedInventory } from './inventory.ts';
import { seedJourney } from './journey.ts';
import { seedOrders } from './orders.ts';
import { Plan } from './plan.ts';
import { seedQuotes } from './quotes.ts';
import { seedReceipts } from './receipts.ts';
import { seedReservations } from './reservations.ts';
import { seedTransfers } from './transfers.ts';
import { DEMO_KEYS, NEIGHBOUR_KEYS, seedWorkspace } from './workspace.ts';

/** How many records of each kind a workspace gets. */
export interface Sizes {
  readonly contacts: number;
  readonly customers: number;
  readonly portfolios: number;
  readonly products: number;
}

/** Rich enough to explore. */
export const FULL: Sizes = { contacts: 600, customers: 1_400, portfolios: 800, products: 300 };

/** Quick to make, with every kind of record: for tests and for the second workspace. */
export const SMALL: Sizes = { contacts: 30, customers: 60, portfolios: 30, products: 40 };

function seed(plan: Plan, sizes: Sizes): void {
  seedContacts(plan, sizes.contacts);
  seedDataFields(plan);
  seedJourney(plan);
  seedCustomers(plan, sizes);
  seedFiles(plan, sizes);
  seedComments(plan, sizes);
  seedProducts(plan, sizes.products);
  seedDiscounts(plan);
  seedOrders(plan, seedQuotes(plan, sizes));
  seedInventory(plan, sizes.products);
  seedReceipts(plan, sizes.products);
  seedBackorders(plan, sizes.products);
  seedTransfers(plan, sizes.products);
  seedIdentifiers(plan, sizes.products);
  seedReservations(plan);
}

/** Opens the world, and fills it with demo data when it is empty. */
export function openWorld(options: WorldOptions, sizes: Sizes): World {
  const world = new World(options);
  createTables(world.store);
  if (world.store.get('SELECT 1 FROM workspaces')) return world;
  world.store.transaction(() => {
    const demo = new Plan(world, 'demo', 1);
    seedWorkspace(demo, 'Demo Works', DEMO_KEYS);
    seed(demo, sizes);
    const neighbour = new Plan(world, 'neighbour', 2);
    seedWorkspace(neighbour, 'Neighbour Works', NEIGHBOUR_KEYS);
    seed(neighbour, SMALL);
  });
  return world;
}
