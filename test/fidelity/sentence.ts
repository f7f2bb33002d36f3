/**
 * How the sandbox stands to a sentence of the upstream's specification: `held by assumption` when the sentence leaves something open that we chose,
 * `differs` when the sandbox does not do what it says.
 */
type Verdict = 'held' | 'held by assumption' | 'not observable here' | 'differs';

/** A claim that the upstream's specification says of its behaviour. */
export interface Sentence {
  /** The line of the specification. Several sentences may stand on one. */
  readonly line: number;
  /** In our own words, as one claim that a test can break. */
  readonly says: string;
  /** Those of the contract that it is about, by their names there. */
  readonly services: 'all' | readonly string[];
  readonly verdict: Verdict;
  /** Each as `file > describe > it`, by the titles in the source, with `%s` and the like where `it.each` fills something in. */
  readonly tests?: readonly string[];
  /** Why no test shows it. */
  readonly reason?: string;
}

/** A test's file, and its titles from the outermost `describe` to the `it`. */
export function partsOf(test: string): { readonly file: string; readonly titles: readonly string[] } {
  const [file = '', ...titles] = test.split(' > ');
  return { file, titles };
}

/** The sentences with neither a test nor a reason, or with both. */
export const undecided = (sentences: readonly Sentence[]): readonly Sentence[] =>
  sentences.filter(({ tests = [], reason = '' }) => tests.length > 0 === (reason.trim() !== ''));
