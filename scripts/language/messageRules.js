// Rejects unidiomatic phrases in string literals of the shipped code: error messages, log lines, descriptions, and command-line output.
import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'espree';
import { PHRASES } from './phrases.ts';

/** Parses TypeScript by blanking out its types, as Node.js does when it runs the same files. */
const parser = {
  meta: { name: 'strip-types' },
  parse: (code, options) =>
    parse(stripTypeScriptTypes(code, { mode: 'strip' }), { ...options, ecmaVersion: 'latest', sourceType: 'module' }),
};

const restrictions = PHRASES.flatMap(([pattern, instead]) => {
  const value = `/^(?=[^]*\\s)[^]*\\b(${pattern})\\b/i`;
  const message = `Unidiomatic wording. Use ${instead}.`;
  return [
    { selector: `Literal[value=${value}]`, message },
    { selector: `TemplateElement[value.raw=${value}]`, message },
  ];
});

export const messageRules = {
  files: ['src/**/*.ts', 'sandbox/**/*.ts'],
  ignores: ['src/upstream/contract/generated/**'],
  languageOptions: { parser },
  rules: { 'no-restricted-syntax': ['error', ...restrictions] },
};
