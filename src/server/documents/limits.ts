import { type DocumentNode, GraphQLError, Kind, Lexer, Source, TokenKind, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isPolluting, POLLUTING_TEXT } from '../../schema/kit/jsonValues.ts';
import { collectFragments, countFieldPairs } from '../../schema/kit/selections.ts';
import { operationSize, SCHEMA_FIELDS } from '../execution/operationSize.ts';
import { documentRefusal, refusal } from '../execution/refusals.ts';

/** The longest document, in characters. Ours: a tenth of a body, since what a document does not hold comes in variables. */
const MAX_LENGTH = 100_000;
/** Ours: some hundred fields take about 1,000 tokens. */
const MAX_TOKENS = 10_000;
/** Ours, far above what any document of this graph needs; graphql-js runs out of stack at about 2,000. */
const MAX_NESTING = 100;
/** Ours: clients send one; an editor with a file of them sends some dozens. Each is checked with all fragments that it spreads. */
const MAX_OPERATIONS = 50;
/**
 * Of one operation, with its fragments written out. Ours: clients give a handful; a gateway gives one to each field whose arguments differ, or
 * to each root field when it joins requests into one. A record that is read once can be answered under each of them, so they bound the answer.
 */
const MAX_ALIASES = 250;
/** Of one operation, with its fragments written out. Ours: clients guard a few dozen selections. No field can have one twice. */
const MAX_DIRECTIVES = 250;
/**
 * Pairs of fields that share a response name at one place, with fragments written out. Ours: validation compares them one by one, in 1 µs each. Forty fragments
 * that are spread at one place and have 20 fields in common make 15,600.
 */
const MAX_REPEATS = 20_000;
/** Selections that are looked at for repeats. Ours: more than a document may have tokens. */
const MAX_SELECTIONS = 20_000;
/** Of one operation, with its fragments written out. Ours: editors and composers ask once, and an answer holds the whole schema. */
const MAX_SCHEMA_FIELDS = 1;

const OPENERS = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSERS = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Whether brackets nest too deep to parse. Reads tokens, so that brackets in strings and comments do not count. */
function isTooDeep(source: string): boolean {
  const lexer = new Lexer(new Source(source));
  let depth = 0;
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (OPENERS.has(token.kind)) depth += 1;
      else if (CLOSERS.has(token.kind)) depth -= 1;
      if (depth > MAX_NESTING) return true;
    }
  } catch {
    // No token: the parser says so, with its place.
  }
  return false;
}

/** Refuses a text that cannot be parsed in reasonable time and space. */
function checkText(source: string): void {
  const problem =
    source.length > MAX_LENGTH
      ? `is longer than ${MAX_LENGTH} characters. Send values as variables`
      : isTooDeep(source) && `is nested more than ${MAX_NESTING} levels deep`;
  if (problem) throw refusal(400, 'GRAPHQL_PARSE_FAILED', `The document ${problem}.`);
}

/** Problem of a document's size; undefined for none. */
function sizeProblem(document: DocumentNode): string | undefined {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operations.length > MAX_OPERATIONS) return `The document has ${operations.length} operations, but the maximum is ${MAX_OPERATIONS}.`;
  const fragments = collectFragments(document);
  for (const operation of operations) {
    const { aliases, directives, schemaFields } = operationSize(operation, fragments);
    const expanded = 'after fragments are expanded';
    if (aliases > MAX_ALIASES) return `The operation has ${aliases} aliases ${expanded}, but the maximum is ${MAX_ALIASES}.`;
    if (directives > MAX_DIRECTIVES) return `The operation has ${directives} directives ${expanded}, but the maximum is ${MAX_DIRECTIVES}.`;
    if (schemaFields > MAX_SCHEMA_FIELDS)
      return `The operation requests the schema ${schemaFields} times (${[...SCHEMA_FIELDS].join(', ')}) ${expanded}, but the maximum is ${MAX_SCHEMA_FIELDS}.`;
  }
  const { pairs, selections } = countFieldPairs(document, fragments, { pairs: MAX_REPEATS, selections: MAX_SELECTIONS });
  if (pairs > MAX_REPEATS)
    return `The document repeats fields: after fragments are expanded, more than ${MAX_REPEATS} pairs have the same name and path. Select each field once.`;
  if (selections > MAX_SELECTIONS)
    return `The document has more than ${MAX_SELECTIONS} selections after fragments are expanded, or its fragments are cyclic.`;
  return undefined;
}

/** Refuses objects with keys that lead to a prototype: no type has them, but JSON values might. */
function checkKeys(document: DocumentNode): void {
  visit(document, {
    ObjectField: (node) => {
      if (isPolluting(node.name.value))
        throw documentRefusal('BAD_USER_INPUT', `An object must not have a key named ${node.name.value}.`, node);
    },
  });
}

/**
 * Refuses documents that are too long or too deep to parse, that ask for too much to check, and those whose fragments are too deep to check.
 * The upstream calls of an operation are counted elsewhere (`CostControl`), so that root fields need no bound of their own.
 */
export function useDocumentLimits(): Plugin {
  /** Documents that yoga's cache holds come here again and again. */
  const passed = new WeakSet<DocumentNode>();
  return {
    onParse({ params, parseFn, setParseFn }) {
      const source = typeof params.source === 'string' ? params.source : params.source.body;
      checkText(source);
      setParseFn((text, options) => parseFn(text, { ...options, maxTokens: MAX_TOKENS }));
      return ({ result }) => {
        if (!result || result instanceof Error || passed.has(result)) return;
        const document: DocumentNode = result;
        const problem = sizeProblem(document);
        if (problem) throw documentRefusal('GRAPHQL_VALIDATION_FAILED', problem);
        // A look at the text spares all others the walk through the document.
        if (POLLUTING_TEXT.test(source)) checkKeys(document);
        passed.add(document);
      };
    },
    onValidate({ validateFn, setValidationFn }) {
      setValidationFn((...args) => {
        try {
          return validateFn(...args);
        } catch (error) {
          // Fragments that lead back to themselves, or very far: graphql-js follows them until its stack is full.
          if (!(error instanceof RangeError)) throw error;
          return [new GraphQLError('The fragments of the document are nested too deeply or are cyclic.')];
        }
      });
    },
  };
}
