import { createUuid, Random } from './random.ts';
import type { World } from './world.ts';

const DAY_SECONDS = 86_400;

/** Number of records of each type in a workspace. */
export interface Sizes {
  readonly contacts: number;
  readonly customers: number;
  readonly portfolios: number;
  readonly products: number;
  /** Orders that are copied from the others. */
  readonly extraOrders?: number;
}

interface PlanOptions {
  /** Prefix of the names that IDs are derived from. Unique for each workspace. */
  readonly slug: string;
  readonly seedOffset: number;
  readonly sizes: Sizes;
}

/** Parameters of a workspace's demo data: the seed, the current time, and the sizes. */
export class Plan {
  readonly world: World;
  readonly workspaceId: string;
  readonly random: Random;
  readonly sizes: Sizes;
  /** Unix seconds. Timestamps in the demo data are relative to it. */
  readonly now: number;
  readonly #prefix: string;

  constructor(world: World, { slug, seedOffset, sizes }: PlanOptions) {
    this.world = world;
    this.sizes = sizes;
    this.random = new Random(world.seed * 1_000 + seedOffset);
    this.now = world.now();
    this.#prefix = slug;
    this.workspaceId = this.id('workspace');
  }

  get store() {
    return this.world.store;
  }

  /** The ID derived from a name, such as `customer 12`. Domains use it to refer to each other's records. */
  id(name: string): string {
    return createUuid(this.world.seed, `${this.#prefix} ${name}`);
  }

  /** A timestamp within the last `days` days. */
  pickPastTimestamp(days: number): number {
    return this.now - this.random.nextInteger(60, days * DAY_SECONDS);
  }
}
