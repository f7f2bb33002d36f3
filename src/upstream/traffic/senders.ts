import { LinkedList, type LinkedNode } from '../../lib/linkedList.ts';

/**
 * Who sends requests, as far as the process shares its time between clients: an API key that the upstream has accepted, or all other clients together. Anyone can
 * send requests without a key, or with as many invented keys as they like, so these have one share.
 */
export interface Sender {
  /** Whether it stands for all clients whose API key isn't known to be valid. */
  readonly isStranger: boolean;
  /** What waits for a turn of the event loop (turns.ts). Null if nothing does. */
  turns: SenderQueue | null;
}

/** Something of a sender that waits. */
export class Waiter implements LinkedNode<Waiter> {
  /** Work that it's going to do, in values of responses. */
  readonly work: number;
  readonly turn = Promise.withResolvers<void>();
  previous: Waiter | undefined;
  next: Waiter | undefined;

  constructor(work: number) {
    this.work = work;
  }
}

/** What waits of one sender, in order of arrival. */
export class SenderQueue implements LinkedNode<SenderQueue> {
  readonly sender: Sender;
  readonly waiting = new LinkedList<Waiter>();
  previous: SenderQueue | undefined;
  next: SenderQueue | undefined;

  constructor(sender: Sender) {
    this.sender = sender;
  }
}

/** Alternates between senders, so that one with hundreds of requests delays those of others by one at a time. */
export class RoundRobin {
  readonly #slot: 'turns';
  readonly #queues = new LinkedList<SenderQueue>();

  /** `slot`: the member of senders that holds their queue. */
  constructor(slot: 'turns') {
    this.#slot = slot;
  }

  /** The one that is next. Undefined if none waits. */
  get first(): Waiter | undefined {
    return this.#queues.first?.waiting.first;
  }

  add(sender: Sender, waiter: Waiter): void {
    let queue = sender[this.#slot];
    if (!queue) {
      queue = new SenderQueue(sender);
      sender[this.#slot] = queue;
      this.#queues.add(queue);
    }
    queue.waiting.add(waiter);
  }

  /** Removes the one that is next. Its sender goes to the end of the round. */
  removeFirst(): void {
    const { first: queue } = this.#queues;
    if (!queue?.waiting.first) return;
    queue.waiting.remove(queue.waiting.first);
    this.#queues.remove(queue);
    if (queue.waiting.first) this.#queues.add(queue);
    else queue.sender[this.#slot] = null;
  }
}

/** Runs work that takes several turns one after the other for each sender, because unfinished work holds memory: a parsed document, or a part of a response. */
export class SenderSequence {
  readonly #last = new WeakMap<Sender, Promise<void>>();

  /** Runs work after the previous work of the sender has ended, however it ended. */
  run<Result>(sender: Sender, work: () => Promise<Result>): Promise<Result> {
    const running = this.#last.get(sender)?.then(work) ?? work();
    const end = () => {};
    this.#last.set(sender, running.then(end, end));
    return running;
  }
}
