import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  type SelectionSetNode,
  SingleFieldSubscriptionsRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { collectFragments, type Fragments } from '../../schema/kit/selections.ts';

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
function checkSubscriptions(document: DocumentNode): GraphQLError[] {
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
