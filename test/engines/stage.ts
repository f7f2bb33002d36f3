import { openWorld, SMALL } from '../../sandbox/demo.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { SEED, START } from '../sandbox/sandbox.ts';

/** The world of a sandbox, whose data can be replaced while the sandbox listens: each case begins with data that no other case has changed. */
export class Stage {
  /** Always the current world. */
  readonly world: World;
  #current: World;
  #data: Uint8Array;
  #changes: number;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#current = open(data);
    this.#changes = changesIn(this.#current);
    this.world = new Proxy({} as World, {
      get: (_target, name) => {
        const value: unknown = Reflect.get(this.#current, name, this.#current);
        return typeof value === 'function' ? value.bind(this.#current) : value;
      },
    });
  }

  /** Replaces the data by a copy of these bytes, unless the world already holds them. */
  reset(data: Uint8Array): void {
    if (data === this.#data && changesIn(this.#current) === this.#changes) return;
    this.#current.close();
    this.#data = data;
    this.#current = open(data);
    this.#changes = changesIn(this.#current);
  }
}

const open = (data: Uint8Array) => openWorld({ data, seed: SEED, clock: () => START * 1000 }, SMALL);

const changesIn = ({ store }: World) => store.get<{ changes: number }>('SELECT total_changes() AS changes')?.changes ?? 0;
