import { SandboxError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/keys.ts';
import type { World } from '../kernel/world.ts';

/** Maximum number of waiting executions per workspace. Chosen: the upstream documents admission control, but no limit. */
const MAX_WAITING = 32;

/** Documented: calls that can't start within this time fail with a timeout. */
const MAX_WAIT_SECONDS = 30;

/** A waiting execution. */
interface WaitingExecution {
  readonly start: () => void;
  readonly refuse: (error: SandboxError) => void;
  /** Unix seconds. */
  readonly since: number;
}

/** The waiting executions of a workspace by key, in round-robin order. */
type Workspace = Map<string, WaitingExecution[]>;

const countWaiting = (workspace: Workspace) => [...workspace.values()].reduce((sum, each) => sum + each.length, 0);

/**
 * Runs one execution of the sandbox at a time. Workspaces take turns, and so do the keys of each workspace, so that a key with many executions doesn't block
 * others. Rejects executions of a workspace whose queue is full.
 */
class ExecutionQueue {
  readonly #now: () => number;
  readonly #workspaces = new Map<string, Workspace>();
  #isBusy = false;
  #isHeld = false;

  /** `now` returns Unix seconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of waiting executions of all workspaces. */
  get waiting(): number {
    return [...this.#workspaces.values()].reduce((sum, workspace) => sum + countWaiting(workspace), 0);
  }

  /** Waits until an execution can run. Resolves to a function that ends it. Throws if the queue is full or the wait was too long. */
  acquire({ workspaceId, keyId }: Pick<Principal, 'workspaceId' | 'keyId'>): Promise<() => void> {
    const workspace = this.#workspaces.get(workspaceId) ?? new Map<string, WaitingExecution[]>();
    if (countWaiting(workspace) >= MAX_WAITING) {
      const message = `${MAX_WAITING} queries of the workspace are already waiting. Try again later.`;
      return Promise.reject(new SandboxError('resource_exhausted', message));
    }
    return new Promise((resolve, refuse) => {
      const entry = { start: () => resolve(() => this.#end()), refuse, since: this.#now() };
      workspace.set(keyId, [...(workspace.get(keyId) ?? []), entry]);
      this.#workspaces.set(workspaceId, workspace);
      this.#next();
    });
  }

  /** Pauses the queue until the returned function is called, so that tests can fill it. */
  pause(): () => void {
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
      this.#next();
    };
  }

  #end(): void {
    this.#isBusy = false;
    // Deferred, so that calls that arrive in the meantime are queued first.
    setImmediate(() => this.#next());
  }

  #next(): void {
    if (this.#isBusy || this.#isHeld) return;
    for (let entry = this.#dequeue(); entry; entry = this.#dequeue()) {
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

  /** Removes the next execution. Its key and its workspace move to the end of their round-robin order. */
  #dequeue(): WaitingExecution | undefined {
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
export function getExecutionQueue(world: World): ExecutionQueue {
  const queue = queues.get(world) ?? new ExecutionQueue(() => world.now());
  queues.set(world, queue);
  return queue;
}
