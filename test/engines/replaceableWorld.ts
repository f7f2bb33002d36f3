import { openWorld, SMALL } from '../../sandbox/demo.ts';
import type { Snapshot } from '../../sandbox/kernel/snapshot.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { SEED, START } from '../sandbox/sandbox.ts';

/** A sandbox world whose data can be replaced while the sandbox listens, so that each case starts with unmodified data. */
export class ReplaceableWorld {
  /** A proxy for the current world. */
  readonly world: World;
  #current: World;
  #data: Snapshot;
  #changes: number;

  constructor(data: Snapshot) {
    this.#data = data;
    this.#current = open(data);
    this.#changes = countChanges(this.#current);
    this.world = new Proxy({} as World, {
      get: (_target, name) => {
        const value: unknown = Reflect.get(this.#current, name, this.#current);
        return typeof value === 'function' ? value.bind(this.#current) : value;
      },
    });
  }

  /** Replaces the data with a copy of these bytes, unless the world already contains them. */
  reset(data: Snapshot): void {
    if (data === this.#data && countChanges(this.#current) === this.#changes) return;
    this.#current.close();
    this.#data = data;
    this.#current = open(data);
    this.#changes = countChanges(this.#current);
  }
}

const open = (data: Snapshot) => openWorld({ data, seed: SEED, clock: () => START * 1000 }, SMALL);

const countChanges = ({ store }: World) => store.get<{ changes: number }>('SELECT total_changes() AS changes')?.changes ?? 0;
