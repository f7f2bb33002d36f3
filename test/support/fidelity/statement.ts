/**
 * How the sandbox relates to a statement that it doesn't simply satisfy:
 * - `assumption`: the specification leaves something open, and the sandbox satisfies one reading of it.
 * - `not observable`: no request to the sandbox can show whether it's true.
 * - `differs`: the sandbox behaves differently.
 */
type Verdict = 'assumption' | 'not observable' | 'differs';

/** Services that the statement is about, its text, how the sandbox relates to it, and why no test shows it. */
export type Statement = readonly [services: string, text: string, verdict?: Verdict, untested?: string];
