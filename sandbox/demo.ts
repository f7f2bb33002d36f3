import { demos, services } from './all.gen.ts';
import { seedExtraOrders } from './extraOrders.ts';
import { idempotencyTable } from './kernel/idempotency.ts';
import { outboxTable } from './kernel/outbox.ts';
import { Plan, type Sizes } from './kernel/plan.ts';
import { visibilityTables } from './kernel/visibility.ts';
import { World, type WorldOptions } from './kernel/world.ts';
import { seedPeople } from './people/peopleDemo.ts';
import { DEMO_KEYS, type DemoKey, NEIGHBOUR_KEYS, seedWorkspace } from './workspace/workspaceDemo.ts';

/** Sizes of the main demo workspace: large enough to explore. */
export const FULL: Sizes = { contacts: 600, customers: 1_400, portfolios: 800, products: 300 };

/** Sizes for tests and for the second workspace: every type of record, but fast to create. */
export const SMALL: Sizes = { contacts: 30, customers: 60, portfolios: 30, products: 40 };

const domains = services.flatMap((service) => service.domains);

function seed(plan: Plan, name: string, keys: readonly DemoKey[]): void {
  seedWorkspace(plan, name);
  seedPeople(plan, keys);
  for (const each of demos) each.seed?.(plan);
  seedExtraOrders(plan);
}

/** Opens the world, creates missing tables, and adds demo data if the database is empty. */
export function openWorld(options: WorldOptions, sizes: Sizes): World {
  const world = new World(options);
  for (const { ddl } of [idempotencyTable, outboxTable, ...domains.flatMap(({ tables = [] }) => tables), ...visibilityTables])
    world.store.exec(ddl);
  if (world.store.get('SELECT 1 FROM workspaces')) return world;
  world.store.transaction(() => {
    const demo = new Plan(world, { slug: 'demo', seedOffset: 1, sizes });
    seed(demo, 'Demo Works', DEMO_KEYS);
    const neighbour = new Plan(world, { slug: 'neighbour', seedOffset: 2, sizes: SMALL });
    seed(neighbour, 'Neighbour Works', NEIGHBOUR_KEYS);
  });
  return world;
}
