// ESLint rules for English in code: strings (error messages, log lines, descriptions, command-line output), comments, identifiers, and test titles.
import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'espree';
import { MESSAGE_PHRASES, PHRASES, UNCLEAR_NAMES } from './phrases.ts';

/** Parses TypeScript by blanking out its types, as Node.js does when it runs the same files. */
const parser = {
  meta: { name: 'strip-types' },
  parse: (code, options) =>
    parse(stripTypeScriptTypes(code, { mode: 'strip' }), { ...options, ecmaVersion: 'latest', sourceType: 'module' }),
};

const compile = (phrases) => phrases.map(([pattern, instead]) => ({ pattern: new RegExp(`\\b(?:${pattern})\\b`, 'i'), instead }));
const PROSE = compile(PHRASES);
const MESSAGES = compile(MESSAGE_PHRASES);

/** Reports the first phrase of a text that has a better alternative. */
function checkPhrases(context, node, text, phrases = PROSE) {
  const found = phrases.find(({ pattern }) => pattern.test(text));
  if (found) context.report({ node, message: `Unidiomatic wording: "${found.pattern.exec(text)[0]}". Use ${found.instead}.` });
}

const checkStrings = (phrases) => ({
  create: (context) => ({
    // Identifiers and single words have no space.
    Literal: (node) => typeof node.value === 'string' && /\s/.test(node.value) && checkPhrases(context, node, node.value, phrases),
    TemplateElement: (node) => /\s/.test(node.value.raw) && checkPhrases(context, node, node.value.raw, phrases),
  }),
});

/** Code and quotations in a comment. */
const QUOTED = /`[^`]*`|"[^"]*"/g;

const comments = {
  create: (context) => ({
    Program: () => {
      for (const comment of context.sourceCode.getAllComments()) checkPhrases(context, comment, comment.value.replaceAll(QUOTED, ''));
    },
  }),
};

/** Words that start a fragment of a sentence whose beginning is in the title of another block. */
const FRAGMENT =
  /^(?:is|isn’t|isn't|as|its|this|that|those|these|of|in|with|without|by|on|at|between|whose|which|among|from|for|to|who|where|when|while|if|no|not|only|an?|the|all|each|one|and|but|or|so|are|aren’t|aren't)\b/i;

const BLOCKS = new Set(['describe', 'it', 'test']);

/** `it` of `it`, `it.each(…)`, and `it.each`…``. */
function calleeName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'CallExpression') return calleeName(callee.callee);
  if (callee.type === 'MemberExpression') return calleeName(callee.object);
  return callee.type === 'TaggedTemplateExpression' ? calleeName(callee.tag) : undefined;
}

/** The text of a title. Undefined if it’s computed, or starts with a computed part. */
function titleIn(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('%s') : undefined;
}

const titles = {
  create: (context) => ({
    CallExpression: ({ callee, arguments: [first] }) => {
      const name = calleeName(callee);
      if (!BLOCKS.has(name)) return;
      const title = titleIn(first);
      if (title === undefined) return;
      checkPhrases(context, first, title);
      if (!FRAGMENT.test(title)) return;
      const expected =
        name === 'describe' ? 'Name the unit that is tested' : 'Start with a verb, such as "returns", that isn’t a form of "be"';
      context.report({ node: first, message: `"${title}" is a fragment of a sentence. ${expected}.` });
    },
  }),
};

/** The words of a camel-case or upper-case name. */
const splitName = (name) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];

function checkName(context, node) {
  const word = node?.type.endsWith('Identifier') && splitName(node.name).find((part) => UNCLEAR_NAMES.has(part.toLowerCase()));
  if (word) context.report({ node, message: `Unclear name: "${node.name}". Replace "${word}" with the name of the thing or action.` });
}

/** The identifiers that a pattern declares. */
function* listDeclared(pattern) {
  if (pattern?.type === 'Identifier') yield pattern;
  else if (pattern?.type === 'AssignmentPattern') yield* listDeclared(pattern.left);
  else if (pattern?.type === 'RestElement') yield* listDeclared(pattern.argument);
  else if (pattern?.type === 'ArrayPattern') for (const element of pattern.elements) yield* listDeclared(element);
  else if (pattern?.type === 'ObjectPattern') for (const property of pattern.properties) yield* listDeclared(property.value ?? property);
}

const names = {
  create: (context) => {
    const checkPattern = (pattern) => {
      for (const node of listDeclared(pattern)) checkName(context, node);
    };
    const checkFunction = ({ id, params }) => {
      checkName(context, id);
      for (const param of params) checkPattern(param);
    };
    return {
      VariableDeclarator: ({ id }) => checkPattern(id),
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      ArrowFunctionExpression: checkFunction,
      ClassDeclaration: ({ id }) => checkName(context, id),
      MethodDefinition: ({ key }) => checkName(context, key),
      PropertyDefinition: ({ key }) => checkName(context, key),
    };
  },
};

const plugin = { rules: { messages: checkStrings(MESSAGES), strings: checkStrings(PROSE), comments, names, titles } };
const languageOptions = { parser };

export const wordingRules = [
  {
    files: ['{src,cli,sandbox}/**/*.ts'],
    ignores: ['src/upstream/contract/generated/**'],
    plugins: { wording: plugin },
    languageOptions,
    rules: { 'wording/messages': 'error' },
  },
  {
    files: ['**/*.ts'],
    ignores: ['{src,cli,sandbox}/**', '**/*.gen.ts', 'scripts/language/phrases.ts'],
    plugins: { wording: plugin },
    languageOptions,
    rules: { 'wording/strings': 'error' },
  },
  {
    files: ['**/*.ts'],
    ignores: ['src/upstream/contract/generated/**', '**/*.gen.ts'],
    plugins: { wording: plugin },
    languageOptions,
    rules: { 'wording/comments': 'error', 'wording/names': 'error' },
  },
  { files: ['test/**/*.ts'], plugins: { wording: plugin }, languageOptions, rules: { 'wording/titles': 'error' } },
];
