import { type ASTVisitor, NoSchemaIntrospectionCustomRule, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { documentRefusal } from './refusals.ts';

/**
 * What callers may ask of the schema: all, only the subgraph's SDL (`_service`), which composers of supergraphs ask for, or nothing. Without
 * `all`, errors suggest no names either: they would tell the schema word by word.
 */
export const INTROSPECTION = ['true', 'sdl', 'false'] as const;
export type Introspection = (typeof INTROSPECTION)[number];

function noServiceRule(context: ValidationContext): ASTVisitor {
  return {
    Field: (node) => {
      if (context.getParentType() !== context.getSchema().getQueryType() || node.name.value !== '_service') return;
      const message = 'The SDL is not told here: compose with a file that was printed from the same version.';
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
    setValidationFn((schema, document, rules, options) => validateFn(schema, document, rules, { ...options, hideSuggestions: true }));
  },
});

/** Takes away what graphql-js suggests when the value of a variable does not fit: there it cannot be told not to. */
export function withoutSuggestions(error: Error): Error {
  error.message = error.message.replace(/ Did you mean .*$/s, '');
  return error;
}
