import { SandboxError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/keys.ts';
import type { World } from '../kernel/world.ts';

/** Executions that may wait in a workspace. Ours: the upstream tells that there is admission, and not how many it admits. */
const MAX_WAITING = 32;

/** Documented: what cannot start in this time is answered as a timeout. */
const MAX_WAIT_SECONDS = 30;

/** An execution that waits for its turn. */
interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: SandboxError) => void;
  /** Unix seconds. */
  readonly since: number;
}

/** Those that wait in a workspace, by key, in the order in which keys have their turns. */
type Workspace = Map<string, Waiting[]>;

const lengthOf = (workspace: Workspace) => [...workspace.values()].reduce((sum, each) => sum + each.length, 0);

/**
 * Executions of a sandbox, of which one runs at a time. Workspaces take turns, and the keys of a workspace take turns in it, so that a key with many executions holds
 * up nobody else. A workspace with too many that wait is refused more.
 */
class ExecutionQueue {
  readonly #now: () => number;
  readonly #workspaces = new Map<string, Workspace>();
  #isBusy = false;
  #isHeld = false;

  /** The clock tells Unix seconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Executions that wait, of all workspaces. */
  get waiting(): number {
    return [...this.#workspaces.values()].reduce((sum, workspace) => sum + lengthOf(workspace), 0);
  }

  /** Waits for a turn; the answer ends it. Refuses when the queue is full, and when the turn comes too late. */
  enter({ workspaceId, keyId }: Pick<Principal, 'workspaceId' | 'keyId'>): Promise<() => void> {
    const workspace = this.#workspaces.get(workspaceId) ?? new Map<string, Waiting[]>();
    if (lengthOf(workspace) >= MAX_WAITING) {
      const told = `${MAX_WAITING} queries of the workspace are already waiting. Try again later.`;
      return Promise.reject(new SandboxError('resource_exhausted', told));
    }
    return new Promise((resolve, refuse) => {
      const entry = { start: () => resolve(() => this.#end()), refuse, since: this.#now() };
      workspace.set(keyId, [...(workspace.get(keyId) ?? []), entry]);
      this.#workspaces.set(workspaceId, workspace);
      this.#next();
    });
  }

  /** Gives no turns until the answer is called, so that a queue can be seen to fill. */
  hold(): () => void {
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
      this.#next();
    };
  }

  #end(): void {
    this.#isBusy = false;
    // Later, so that calls that have arrived meanwhile stand in the queue.
    setImmediate(() => this.#next());
  }

  #next(): void {
    if (this.#isBusy || this.#isHeld) return;
    for (let entry = this.#take(); entry; entry = this.#take()) {
      const waited = this.#now() - entry.since;
      if (waited <= MAX_WAIT_SECONDS) {
        this.#isBusy = true;
        entry.start();
        return;
      }
      entry.refuse(
        new SandboxError('deadline_exceeded', `The query could not start within ${MAX_WAIT_SECONDS} seconds. It can be retried.`),
      );
    }
  }

  /** The next in turn. Its workspace and its key go to the end of their rows. */
  #take(): Waiting | undefined {
    const [workspaceId, workspace] = this.#workspaces.entries().next().value ?? [];
    const [keyId, [entry, ...rest] = []] = workspace?.entries().next().value ?? [];
    if (workspaceId === undefined || !workspace || keyId === undefined) return undefined;
    workspace.delete(keyId);
    if (rest.length > 0) workspace.set(keyId, rest);
    this.#workspaces.delete(workspaceId);
    if (workspace.size > 0) this.#workspaces.set(workspaceId, workspace);
    return entry;
  }
}

const queues = new WeakMap<World, ExecutionQueue>();

/** The queue of a sandbox. */
export function executionsOf(world: World): ExecutionQueue {
  const queue = queues.get(world) ?? new ExecutionQueue(() => world.now());
  queues.set(world, queue);
  return queue;
}
