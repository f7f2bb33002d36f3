import { Random, uuid } from './random.ts';
import type { World } from './world.ts';

const DAY_SECONDS = 86_400;

/** How many records of each kind a workspace gets. */
export interface Sizes {
  readonly contacts: number;
  readonly customers: number;
  readonly portfolios: number;
  readonly products: number;
}

interface PlanOptions {
  /** Stands before the names that ids are made of: each workspace has its own. */
  readonly slug: string;
  readonly seedOffset: number;
  readonly sizes: Sizes;
}

/** The seed, the moment and the sizes that the demo data of a workspace is made with. */
export class Plan {
  readonly world: World;
  readonly workspaceId: string;
  readonly random: Random;
  readonly sizes: Sizes;
  /** Unix seconds; the demo data lies around it. */
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

  /** The id that belongs to a name, such as `customer 12`: whoever builds on a record of another domain names it the same way. */
  id(name: string): string {
    return uuid(this.world.seed, `${this.#prefix} ${name}`);
  }

  /** A moment of the last `days` days. */
  ago(days: number): number {
    return this.now - this.random.integer(60, days * DAY_SECONDS);
  }
}
