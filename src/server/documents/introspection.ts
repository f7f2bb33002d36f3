import { type ASTVisitor, NoSchemaIntrospectionCustomRule, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { removeSuggestions } from '../execution/masking.ts';
import { createDocumentError } from '../execution/rejections.ts';

/**
 * Parts of the schema that clients can query: `true` for everything, `sdl` for only the subgraph's SDL (`_service`), which composition tools read, `false` for nothing.
 * Unless it's `true`, errors don't suggest names either, because suggestions would reveal the schema word by word.
 */
export const INTROSPECTION = ['true', 'sdl', 'false'] as const;
export type Introspection = (typeof INTROSPECTION)[number];

function noServiceRule(context: ValidationContext): ASTVisitor {
  return {
    Field: (node) => {
      if (context.getParentType() !== context.getSchema().getQueryType() || node.name.value !== '_service') return;
      const message = 'Introspection is disabled. Compose with an SDL file that was printed from the same version.';
      context.reportError(createDocumentError('GRAPHQL_VALIDATION_FAILED', message, node));
    },
  };
}

/** Rejects documents that query a larger part of the schema than allowed. */
export const useIntrospection = (allowed: Introspection): Plugin => ({
  onValidate({ addValidationRule, validateFn, setValidationFn }) {
    if (allowed === 'true') return;
    addValidationRule(NoSchemaIntrospectionCustomRule);
    if (allowed === 'false') addValidationRule(noServiceRule);
    // The option doesn't apply to all rules, such as ScalarLeafsRule, but saves searching for names.
    setValidationFn((schema, document, rules, options) =>
      validateFn(schema, document, rules, { ...options, hideSuggestions: true }).map(removeSuggestions),
    );
  },
});
