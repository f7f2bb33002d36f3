import type { ChangeEvent } from './changes.ts';

type Listener = (event: ChangeEvent) => void;

/** Distributes changes by channel: the workspace, or the API key if its workspace is unknown. */
export interface ChangeBus {
  /** Passes an event to the listeners of a channel. Never throws. */
  publish(channel: string, event: ChangeEvent): void;
  /** Returns a function that removes the listener. */
  subscribe(channel: string, listener: Listener): () => void;
}

/** Distributes changes within this process. */
export class LocalBus implements ChangeBus {
  readonly #listeners = new Map<string, Set<Listener>>();

  publish(channel: string, event: ChangeEvent): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(event);
  }

  /** Passes an event to all listeners. */
  publishToAll(event: ChangeEvent): void {
    for (const channel of this.#listeners.keys()) this.publish(channel, event);
  }

  subscribe(channel: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) this.#listeners.delete(channel);
    };
  }
}
