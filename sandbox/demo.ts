import { seedProducts } from './catalog/catalogDemo.ts';
import { seedDiscounts } from './catalog/discountsDemo.ts';
import { seedComments } from './customers/commentsDemo.ts';
import { seedContacts } from './customers/contactsDemo.ts';
import { seedCustomers } from './customers/customersDemo.ts';
import { seedDataFields } from './customers/dataFieldsDemo.ts';
import { seedFiles } from './customers/filesDemo.ts';
import { seedJourney } from './customers/journeyDemo.ts';
import { createTables } from './index.ts';
import { seedBackorders } from './inventory/backordersDemo.ts';
import { seedIdentifiers } from './inventory/identifiersDemo.ts';
import { seedInventory } from './inventory/inventoryDemo.ts';
import { seedReceipts } from './inventory/receiptsDemo.ts';
import { seedReservations } from './inventory/reservationsDemo.ts';
import { seedTransfers } from './inventory/transfersDemo.ts';
import { Plan } from './kernel/plan.ts';
import { World, type WorldOptions } from './kernel/world.ts';
import { seedOrders } from './sales/ordersDemo.ts';
import { seedQuotes } from './sales/quotesDemo.ts';
import { DEMO_KEYS, NEIGHBOUR_KEYS, seedWorkspace } from './workspace/workspaceDemo.ts';

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
