// Rejects unidiomatic phrases in string literals of the shipped code: error messages, log lines, descriptions, and command-line output.
import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'espree';

/** Parses TypeScript by blanking out its types, as Node.js does when it runs the same files. */
const parser = {
  meta: { name: 'strip-types' },
  parse: (code, options) =>
    parse(stripTypeScriptTypes(code, { mode: 'strip' }), { ...options, ecmaVersion: 'latest', sourceType: 'module' }),
};

/** Phrase patterns with what to write instead. They match only in text with a space, so identifiers and single words pass. */
const PHRASES = [
  ['(told|tells?|telling)', 'return, report, specify, or known'],
  ['nobody|whoever|one who|those (that|who|which)', 'a real noun'],
  ['(anew|afresh|once more|by hand|beside|for ever|hardly)', 'again, manually, alongside, indefinitely, rarely'],
  ['(but .{1,40} is none|is none of|that is none|none is)', 'a plain negation, such as "not found" or "isn’t a …"'],
  ['(when absent|goes on|gives? (up|back)|hand(s|ed) on|in vain)', 'defaults to, continues, discards or refunds, passes, wasted'],
  ['(spare[sd]?|mend(s|ed)?|burn(s|t)?)', 'save, fix, exhaust'],
  ['moments?', 'timestamp, or "when …"'],
];

const restrictions = PHRASES.flatMap(([pattern, instead]) => {
  const value = `/^(?=[^]*\\s)[^]*\\b(${pattern})\\b/i`;
  const message = `Unidiomatic wording. Use ${instead}.`;
  return [
    { selector: `Literal[value=${value}]`, message },
    { selector: `TemplateElement[value.raw=${value}]`, message },
  ];
});

export const messageRules = {
  files: ['src/**/*.ts', 'sandbox/**/*.ts', 'cli/**/*.ts', 'dev/**/*.ts'],
  ignores: ['src/upstream/contract/generated/**'],
  languageOptions: { parser },
  rules: { 'no-restricted-syntax': ['error', ...restrictions] },
};
