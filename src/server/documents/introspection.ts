import {
  type ASTVisitor,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type SelectionNode,
  type ValidationContext,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { jsonBytes } from '../../schema/kit/jsonValues.ts';
import { mayBeInParts } from '../execution/documentOrder.ts';
import { withoutSuggestions } from '../execution/masking.ts';
import { documentRefusal } from '../execution/refusals.ts';

/**
 * Parts of the schema that callers may ask for: all, only the subgraph's SDL (`_service`), which composers of supergraphs ask for, or nothing. Without
 * `all`, errors suggest no names either: they would tell the schema word by word.
 */
export const INTROSPECTION = ['true', 'sdl', 'false'] as const;
export type Introspection = (typeof INTROSPECTION)[number];

function noServiceRule(context: ValidationContext): ASTVisitor {
  return {
    Field: (node) => {
      if (context.getParentType() !== context.getSchema().getQueryType() || node.name.value !== '_service') return;
      const message = 'Introspection is disabled. Compose with an SDL file that was printed from the same version.';
      context.reportError(documentRefusal('GRAPHQL_VALIDATION_FAILED', message, node));
    },
  };
}

/** Refuses documents that ask for more of the schema than is told. */
export const useIntrospection = (allowed: Introspection): Plugin => ({
  onValidate({ addValidationRule, validateFn, setValidationFn }) {
    if (allowed === 'true') return;
    addValidationRule(NoSchemaIntrospectionCustomRule);
    if (allowed === 'false') addValidationRule(noServiceRule);
    // The option doesn't apply to all rules, such as ScalarLeafsRule, but saves searching for names.
    setValidationFn((schema, document, rules, options) =>
      validateFn(schema, document, rules, { ...options, hideSuggestions: true }).map(withoutSuggestions),
    );
  },
});

/** Root fields that tell the schema. */
export const SCHEMA_FIELDS: ReadonlySet<string> = new Set(['__schema', '__type', '_service']);

const tellsSchema = (node: SelectionNode) => node.kind === Kind.FIELD && SCHEMA_FIELDS.has(node.name.value);
const isTypename = (node: SelectionNode) => node.kind === Kind.FIELD && node.name.value === '__typename';

/** The longest JSON of variables that tells answers apart, in characters. Ours: the name of a type, and some conditions. */
const MAX_VARIABLES = 1_000;

/** JSON bytes of all answers together. Ours: some dozen whole schemas. */
const ANSWERS = { entries: 256, weight: { max: 8 * 1024 * 1024, weightOf: (_key: string, { bytes }: KnownAnswer) => bytes } };

interface KnownAnswer {
  readonly result: ExecutionResult;
  readonly bytes: number;
}

/**
 * Cache of answers that tell the schema and nothing else: they are the same for everybody as long as the process lives, and each takes as long as
 * thousands of fields.
 */
export class SchemaAnswers {
  readonly #answers = new BoundedCache<KnownAnswer>(ANSWERS);

  /** Answers from the cache, or by `execute`. Undefined for operations that ask for anything else. */
  answer(args: ExecutionArgs, execute: (args: ExecutionArgs) => unknown): unknown {
    const key = keyOf(args);
    if (key === null) return undefined;
    const known = this.#answers.get(key);
    if (known) return known.result;
    const result = execute(args);
    const keep = (answer: ExecutionResult) => {
      if (!answer.errors) this.#answers.set(key, { result: answer, bytes: key.length + jsonBytes(answer.data) });
      return answer;
    };
    return result instanceof Promise ? result.then(keep) : keep(result as ExecutionResult);
  }
}

/** Cache key of an answer; null for operations that ask for more than the schema. */
function keyOf({ document, operationName, variableValues }: ExecutionArgs): string | null {
  const operation = getOperationAST(document, operationName);
  const source = document.loc?.source.body;
  // An incremental response can only be read once.
  if (!operation || source === undefined || mayBeInParts(document)) return null;
  const { selections } = operation.selectionSet;
  if (!selections.some(tellsSchema) || !selections.every((node) => tellsSchema(node) || isTypename(node))) return null;
  const variables = JSON.stringify(variableValues ?? {});
  return variables.length > MAX_VARIABLES ? null : JSON.stringify([operationName ?? null, variables, source]);
}
