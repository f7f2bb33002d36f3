/** A pattern for wording, and what to write instead. */
type Phrase = readonly [pattern: string, instead: string];

/** Wording that isn't idiomatic in any text. */
export const PHRASES: readonly Phrase[] = [
  ['(told|tells?|telling)', 'return, report, specify, or known'],
  ['nobody|whoever|one who|those who', 'a real noun'],
  ['(anew|afresh|once more|by hand|beside|for ever|hardly)', 'again, manually, alongside, indefinitely, rarely'],
  ['(when absent|goes on|gives? (up|back)|hand(s|ed) on|in vain)', 'defaults to, continues, discards or refunds, passes, wasted'],
  ['(spare[sd]?|mend(s|ed)?|burn(s|t)?)', 'save, fix, exhaust'],
  ['moments?', 'timestamp, or "when …"'],
];

/** Wording that is unclear in a message, which has no context. */
export const MESSAGE_PHRASES: readonly Phrase[] = [
  ...PHRASES,
  ['those (that|which)', 'a real noun'],
  ['(but .{1,40} is none|is none of|that is none|none is)', 'a plain negation, such as "not found" or "isn’t a …"'],
];

/** Words of declared names that name no thing or action. */
export const UNCLEAR_NAMES: ReadonlySet<string> = new Set(
  'answer answered answers ask asked asker asks kept mended moment moments shown tell telling tells told twin'.split(' '),
);
