interface Observer<Result> {
  next(result: Result): void;
  error(error: unknown): void;
  complete(): void;
}

/** The results of one attempt, for any number of observers: an operation with `@defer` has several results, and the same intent can have several callers. */
export interface Replay<Result> extends Observer<Result> {
  /** Sends all results, earlier ones included. Returns a function that stops it. */
  subscribe(observer: Observer<Result>): () => void;
}

export function createReplay<Result>(): Replay<Result> {
  const events: ((observer: Observer<Result>) => void)[] = [];
  const observers = new Set<Observer<Result>>();
  const emit = (event: (observer: Observer<Result>) => void) => {
    events.push(event);
    for (const observer of observers) event(observer);
  };
  return {
    next: (result) => emit((observer) => observer.next(result)),
    error: (error) => emit((observer) => observer.error(error)),
    complete: () => emit((observer) => observer.complete()),
    subscribe: (observer) => {
      for (const event of events) event(observer);
      observers.add(observer);
      return () => observers.delete(observer);
    },
  };
}
