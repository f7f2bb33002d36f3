/** A wait that can be given up: for a permit, for a pause to end, for an answer of the upstream. */
export interface Wait {
  giveUp(): void;
}

/** An object that waits for one thing at a time. A plain field and no AbortSignal, since every call has it. */
export interface Waiting {
  /** The wait that it is in now; null, or absent, when there is none that can be given up. */
  wait?: Wait | null;
}
