/** Something that is waited for, and can be given up: a place in the queue, a pause, an answer of the upstream. */
export interface Wait {
  giveUp(): void;
}

/** One who waits for one thing at a time. A plain field and no signal, since every call is one. */
export interface Waiting {
  /** What it waits for now; null, or absent, when that is nothing that can be given up. */
  wait?: Wait | null;
}
