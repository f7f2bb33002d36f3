import { createTables } from '../services.ts';
import { World, type WorldOptions } from '../world.ts';
import { seedContacts } from './contacts.ts';
import { Plan } from './plan.ts';
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
