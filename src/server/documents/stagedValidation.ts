import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  SingleFieldSubscriptionsRule,
  type ValidationRule,
  validate,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { runWithoutTraces } from '../../lib/withoutTraces.ts';
import { checkSubscriptions, MAX_ERRORS } from './validation.ts';

/** Number of stages. Chosen: each takes a quarter of the rules and visits the document again, so more would take longer than they save. */
const STAGES = 4;
/** A document whose validation shows which rules are applied to all documents. */
const PROBE = parse('{ __typename }');

type Validate = (schema: GraphQLSchema, document: DocumentNode) => readonly Error[];
type ValidateOptions = Parameters<typeof validate>[3];

/** In the order of the document, as a single validation reports them. The error that graphql-js adds when there are too many has no nodes. */
function mergeErrors(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const own = errors.filter(({ nodes }) => nodes).sort((one, other) => (one.positions?.[0] ?? 0) - (other.positions?.[0] ?? 0));
  const limitError = errors.find(({ nodes }) => !nodes);
  if (own.length <= MAX_ERRORS && !limitError) return own;
  const limit = limitError ?? new GraphQLError('Too many validation errors, error limit reached. Validation aborted.');
  return [...own.slice(0, MAX_ERRORS), limit];
}

/**
 * Validates long documents by one group of rules after the other, between which other work can be done. A document of the maximum number of tokens takes 30 ms, and
 * graphql-js can't interrupt its validation.
 */
export class StagedValidation {
  #rules: readonly ValidationRule[] = [];
  #options: ValidateOptions;
  /** The errors of documents that have passed all stages, until they are validated as usual. */
  readonly #errors = new WeakMap<DocumentNode, readonly GraphQLError[]>();

  /** Must be the first plugin that replaces the function, because the others add rules and process the errors. */
  plugin(): Plugin {
    return {
      onValidate: ({ validateFn, setValidationFn }) => {
        setValidationFn((schema, document, rules, options, ...others) => {
          if (document === PROBE) {
            this.#rules = rules;
            this.#options = options;
          }
          return this.#errors.get(document) ?? validateFn(schema, document, rules, options, ...others);
        });
      },
    };
  }

  /** Validates a document, a stage at a time. `validate` is the function with all plugins, which returns the errors at once after the last stage. */
  *run(schema: GraphQLSchema, document: DocumentNode, validateAtOnce: Validate): Generator<void, void> {
    if (this.#rules.length === 0) validateAtOnce(schema, PROBE);
    const rules = this.#rules.filter((rule) => rule !== SingleFieldSubscriptionsRule || checkSubscriptions(document).length === 0);
    const perStage = Math.ceil(rules.length / STAGES);
    const errors: GraphQLError[] = [];
    for (let start = 0; start < rules.length; start += perStage) {
      yield;
      const found = this.#validate(schema, document, rules.slice(start, start + perStage));
      // Validated at once, which reports it.
      if (!found) return;
      errors.push(...found);
    }
    this.#errors.set(document, mergeErrors(errors));
  }

  /** Null if the fragments of the document are too deep. */
  #validate(schema: GraphQLSchema, document: DocumentNode, rules: readonly ValidationRule[]): readonly GraphQLError[] | null {
    try {
      return runWithoutTraces(() => validate(schema, document, rules, this.#options));
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }
}
