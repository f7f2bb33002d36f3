/** Phrase patterns with what to write instead. They match only in text with a space, so identifiers and single words pass. */
export const PHRASES: readonly (readonly [pattern: string, instead: string])[] = [
  ['(told|tells?|telling)', 'return, report, specify, or known'],
  ['nobody|whoever|one who|those (that|who|which)', 'a real noun'],
  ['(anew|afresh|once more|by hand|beside|for ever|hardly)', 'again, manually, alongside, indefinitely, rarely'],
  ['(but .{1,40} is none|is none of|that is none|none is)', 'a plain negation, such as "not found" or "isn’t a …"'],
  ['(when absent|goes on|gives? (up|back)|hand(s|ed) on|in vain)', 'defaults to, continues, discards or refunds, passes, wasted'],
  ['(spare[sd]?|mend(s|ed)?|burn(s|t)?)', 'save, fix, exhaust'],
  ['moments?', 'timestamp, or "when …"'],
];
