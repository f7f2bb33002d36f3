import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  GraphQLError,
  isValueNode,
  Kind,
  Lexer,
  OverlappingFieldsCanBeMergedRule,
  type SelectionSetNode,
  SingleFieldSubscriptionsRule,
  Source,
  type Token,
  TokenKind,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { BoundedCache } from '../../lib/boundedCache.ts';
import { isLongerThan } from '../../lib/characters.ts';
import { runWithoutTraces } from '../../lib/withoutTraces.ts';
import { isPolluting, POLLUTING_TEXT } from '../../schema/kit/jsonValues.ts';
import { measureOperation, SCHEMA_FIELDS } from '../../schema/kit/operationSize.ts';
import { collectFragments, countFieldPairs, type Fragments } from '../../schema/kit/selections.ts';
import { createDocumentError, createRequestError } from '../execution/rejections.ts';

/** Name of a node that has a value: an argument, an input field, or a variable. Null for other nodes. */
function getName(node: ASTNode): string | null {
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return node.name.value;
  return node.kind === Kind.VARIABLE_DEFINITION ? `$${node.variable.name.value}` : null;
}

/** Adds the path of the literal to errors about one, such as `filter.createdAt.gte`, because graphql-js only reports its location. */
function nameLiterals(document: DocumentNode, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const literals = new Set<ASTNode>(
    errors.flatMap(({ nodes: [node] = [] }) => (node && isValueNode(node) && node.kind !== Kind.VARIABLE ? node : [])),
  );
  if (literals.size === 0) return errors;
  const paths = new Map<ASTNode | undefined, string>();
  const names: string[] = [];
  visit(document, {
    enter: (node) => {
      const name = getName(node);
      if (name !== null) names.push(name);
      if (literals.has(node)) paths.set(node, names.join('.'));
    },
    leave: (node) => {
      if (getName(node) !== null) names.pop();
    },
  });
  return errors.map((error) => {
    const path = paths.get(error.nodes?.[0]);
    return path === undefined ? error : new GraphQLError(`Invalid value of "${path}": ${error.message}`, { nodes: error.nodes ?? [] });
  });
}

/** Maximum length of a document, in characters. Chosen: a tenth of a request body, because values belong in variables. */
const MAX_LENGTH = 100_000;
/** Chosen: some hundred fields take about 1,000 tokens. */
const MAX_TOKENS = 10_000;
/** Chosen: far above what documents contain, such as one for each line. They aren't counted as tokens, but take as much memory and as long to parse. */
const MAX_COMMENTS = 1_000;
/** Chosen: far above what any document of this graph needs. graphql-js exceeds the stack at about 2,000. */
const MAX_NESTING = 100;
/** Chosen: clients send one, and an editor with several operations in a file sends some dozens. Each is validated with all fragments that it uses. */
const MAX_OPERATIONS = 50;
/**
 * Per operation, with fragments expanded. Chosen: clients use a handful. A gateway uses one for each field whose arguments differ, or for each root field if it
 * combines requests. A record that is read once can be returned under each alias, so aliases bound the response.
 */
const MAX_ALIASES = 250;
/** Per operation, with fragments expanded. Chosen: clients use them on a few dozen selections. No field can have the same one twice. */
const MAX_DIRECTIVES = 250;
/**
 * Pairs of fields with the same response name and path, with fragments expanded. Chosen: validation compares each pair, in 1 µs. Forty fragments at the same
 * path with 20 fields in common have 15,600 pairs.
 */
const MAX_REPEATS = 20_000;
/** Errors that are reported of a document. Chosen: a developer fixes some at a time, and any client can send documents with thousands. */
export const MAX_ERRORS = 10;
/** Selections that are checked for repeated fields. Chosen: more than a document can have tokens. */
const MAX_SELECTIONS = 20_000;
/** Per operation, with fragments expanded. Chosen: editors and composers request it once, and the response contains the whole schema. */
const MAX_SCHEMA_FIELDS = 1;

const OPENERS = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSERS = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Number of comments before a token. */
function countComments({ prev }: Token): number {
  let count = 0;
  for (let token = prev; token?.kind === TokenKind.COMMENT; token = token.prev) count += 1;
  return count;
}

/** Why a document must not be parsed. Reads tokens, so that brackets in strings and comments don't count. */
function findTokenProblem(source: string): string | undefined {
  const lexer = new Lexer(new Source(source));
  let depth = 0;
  let comments = 0;
  try {
    for (let token = lexer.advance(); ; token = lexer.advance()) {
      if (OPENERS.has(token.kind)) depth += 1;
      else if (CLOSERS.has(token.kind)) depth -= 1;
      comments += countComments(token);
      if (depth > MAX_NESTING) return `is nested more than ${MAX_NESTING} levels deep`;
      if (comments > MAX_COMMENTS) return `has more than ${MAX_COMMENTS} comments`;
      if (token.kind === TokenKind.EOF) return undefined;
    }
  } catch {
    // An invalid token. The parser reports it with its location.
    return undefined;
  }
}

/** Rejects documents that can't be parsed in reasonable time and memory. */
function checkSource(source: string): void {
  const problem = isLongerThan(source, MAX_LENGTH)
    ? `is longer than ${MAX_LENGTH} characters. Send values as variables`
    : findTokenProblem(source);
  if (problem) throw createRequestError(400, 'GRAPHQL_PARSE_FAILED', `The document ${problem}.`);
}

/** Which size limit a document exceeds. Undefined if none. */
function findSizeProblem(document: DocumentNode): string | undefined {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operations.length > MAX_OPERATIONS) return `The document has ${operations.length} operations, but the maximum is ${MAX_OPERATIONS}.`;
  const fragments = collectFragments(document);
  for (const operation of operations) {
    const { aliases, directives, schemaFields } = measureOperation(operation, fragments);
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

/** Rejects objects with keys that access a prototype. No type has such fields, but JSON scalars can. */
function checkKeys(document: DocumentNode): void {
  visit(document, {
    ObjectField: (node) => {
      if (isPolluting(node.name.value))
        throw createDocumentError('BAD_USER_INPUT', `An object must not have a key named ${node.name.value}.`, node);
    },
  });
}

/**
 * Rejects documents that are too long or too deeply nested to parse, or too expensive to validate. Upstream calls are limited by the cost, so root fields need
 * no separate limit. Errors of the validation that it limits name the literals that they are about.
 */
export function useDocumentLimits(parsed: Pick<BoundedCache<DocumentNode>, 'get'>): Plugin {
  /** Yoga passes cached documents through here again. */
  const passed = new WeakSet<DocumentNode>();
  return {
    onParse({ params, parseFn, setParseFn }) {
      const source = typeof params.source === 'string' ? params.source : params.source.body;
      if (!parsed.get(source)) checkSource(source);
      setParseFn((text, options) => runWithoutTraces(() => parseFn(text, { ...options, maxTokens: MAX_TOKENS })));
      return ({ result }) => {
        if (!result || result instanceof Error || passed.has(result)) return;
        const document: DocumentNode = result;
        const problem = findSizeProblem(document);
        if (problem) throw createDocumentError('GRAPHQL_VALIDATION_FAILED', problem);
        // Searching the source first avoids a visit of most documents.
        if (POLLUTING_TEXT.test(source)) checkKeys(document);
        passed.add(document);
      };
    },
    onValidate({ params, validateFn, setValidationFn }) {
      setValidationFn((schema, document, rules, options, ...others) => {
        const limited = { ...options, maxErrors: MAX_ERRORS };
        try {
          return runWithoutTraces(() => nameLiterals(params.documentAST, validateFn(schema, document, rules, limited, ...others)));
        } catch (error) {
          // Cyclic or very deep fragments: graphql-js follows them until the stack is exceeded.
          if (!(error instanceof RangeError)) throw error;
          return [new GraphQLError('The fragments of the document are nested too deeply or are cyclic.')];
        }
      });
    },
  };
}

const isCondition = ({ name }: DirectiveNode) => name.value === 'skip' || name.value === 'include';

/** The @skip and @include directives that decide whether a root field is selected. */
function listConditions({ selections }: SelectionSetNode, fragments: Fragments, seen = new Set<string>()): DirectiveNode[] {
  return selections.flatMap((node) => {
    const own = (node.directives ?? []).filter(isCondition);
    if (node.kind === Kind.FIELD) return own;
    if (node.kind === Kind.INLINE_FRAGMENT) return [...own, ...listConditions(node.selectionSet, fragments, seen)];
    const { value: name } = node.name;
    const fragment = seen.has(name) ? undefined : fragments[name];
    seen.add(name);
    return fragment ? [...own, ...listConditions(fragment.selectionSet, fragments, seen)] : own;
  });
}

/** Errors for subscriptions whose root field could be skipped: they would have no event stream. Source: https://spec.graphql.org/September2025/#sec-Single-root-field */
export function checkSubscriptions(document: DocumentNode): GraphQLError[] {
  const fragments = collectFragments(document);
  return document.definitions.flatMap((node) => {
    if (node.kind !== Kind.OPERATION_DEFINITION || node.operation !== 'subscription') return [];
    const nodes = listConditions(node.selectionSet, fragments);
    const message = 'The root field of a subscription can’t have @skip or @include. Remove the directive, and subscribe only when needed.';
    return nodes.length > 0 ? [new GraphQLError(message, { nodes })] : [];
  });
}

/** Corrects the rules of validation. */
export const useValidationRules = (): Plugin => ({
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((schema, document: DocumentNode, rules: readonly unknown[], ...others) => {
      const errors = checkSubscriptions(document);
      const applied = rules.filter(
        (rule) =>
          // The plugin for @defer and @stream adds its own version, and can't remove this one.
          rule !== OverlappingFieldsCanBeMergedRule &&
          // graphql-js 16 evaluates the directives without variables, and fails.
          !(rule === SingleFieldSubscriptionsRule && errors.length > 0),
      );
      return [...errors, ...validateFn(schema, document, applied, ...others)];
    });
  },
});
