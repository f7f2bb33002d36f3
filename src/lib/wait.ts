/** A cancelable wait: for a permit, a retry delay, or an upstream response. */
export interface Wait {
  abandon(): void;
}

/** An object that waits for one thing at a time. A plain field rather than an AbortSignal, because every call has one. */
export interface Waiting {
  /** The current wait. Null or absent if there is none, or it can't be canceled. */
  wait?: Wait | null;
}
