import type { ChangeEvent } from './changes.ts';

/** `channel` is null if an event concerns all channels. */
type Listener = (channel: string | null, event: ChangeEvent) => void;

/** Distributes changes by channel, which is the ID of a workspace. */
export interface ChangeBus {
  /** Passes an event to all listeners. Never throws. */
  publish(channel: string, event: ChangeEvent): void;
  /** Returns a function that removes the listener. */
  subscribe(listener: Listener): () => void;
}

/** Distributes changes within this process. */
export class LocalBus implements ChangeBus {
  readonly #listeners = new Set<Listener>();

  publish(channel: string | null, event: ChangeEvent): void {
    for (const listener of this.#listeners) listener(channel, event);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
