/** A value, or a promise for it if it has to be waited for. Awaiting a value that is known would cost a microtask and a promise per step. */
export type MaybePromise<Value> = Value | Promise<Value>;
