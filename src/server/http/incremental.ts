import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import {
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type FragmentSpreadNode,
  type GraphQLError,
  type GraphQLSchema,
  getDirectiveValues,
  getOperationAST,
  getVariableValues,
  type InlineFragmentNode,
  separateOperations,
  visit,
} from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { PathOrder } from '../execution/errorOrder.ts';
import { refusal } from '../execution/refusals.ts';
import { acceptedOf, IN_PARTS } from './accept.ts';

type Variables = Readonly<Record<string, unknown>>;
type Selection = FieldNode | FragmentSpreadNode | InlineFragmentNode;

/** Whether a selection comes in a part of its own. */
function isLater(node: Selection, schema: GraphQLSchema, variables: Variables): boolean {
  return ['defer', 'stream'].some((name) => {
    const directive = schema.getDirective(name);
    const values = directive && getDirectiveValues(directive, node, variables);
    if (!values || values.if === false) return false;
    if (name === 'stream' && !(Number(values.initialCount) >= 0 && values.initialCount !== null))
      throw refusal(400, 'BAD_USER_INPUT', '`initialCount` of @stream must be 0 or greater.', node);
    return true;
  });
}

/** Whether the operation is answered in parts. Refuses parts that nobody could make. */
function isInParts({ schema, document, operationName, variableValues }: ExecutionArgs): boolean {
  const operation = getOperationAST(document, operationName);
  const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], variableValues ?? {}, { maxErrors: 0 });
  const own = operation && separateOperations(document)[operation.name?.value ?? ''];
  // The executor says what is wrong.
  if (!own || !coerced) return false;
  let found = false;
  const enter = (node: Selection) => {
    if (isLater(node, schema, coerced)) found = true;
  };
  visit(own, { Field: enter, FragmentSpread: enter, InlineFragment: enter });
  return found;
}

type Mask = (error: unknown) => Error;

interface Part extends ExecutionResult {
  readonly incremental?: readonly { readonly path?: readonly (string | number)[]; readonly errors?: readonly GraphQLError[] }[];
}

/** A part with masked errors. Errors, and the results that completed at the same time, are in the order of the document. */
function presentable({ incremental, errors, ...part }: Part, mask: Mask, order: PathOrder): Part {
  const results = incremental?.map((each) =>
    each.errors ? { ...each, errors: order.sort(each.errors).map(mask) as GraphQLError[] } : each,
  );
  return { ...(errors && { errors: order.sort(errors) }), ...part, ...(results && { incremental: order.sort(results) }) };
}

/**
 * Takes `@defer` and `@stream`. A caller that takes no parts is refused before anything is sent: yoga would do all the work, and then have
 * no way to answer. Errors in later parts are masked as others are, which yoga does for the first part only.
 */
export const useIncremental = (mask: Mask): Plugin[] => [
  useDeferStream(),
  {
    onExecute({ args }) {
      const { params, request } = args.contextValue as YogaInitialContext;
      // A look at the text spares all others the walk through the document.
      if (!/defer|stream/.test(params.query ?? '') || !isInParts(args)) return;
      if (!acceptedOf(request.headers.get('accept'), IN_PARTS)) {
        const message = '@defer and @stream require an incremental response. Send `Accept: multipart/mixed`, or remove the directives.';
        throw refusal(406, 'BAD_REQUEST', message);
      }
      const order = new PathOrder(args);
      return { onExecuteDone: () => ({ onNext: ({ result, setResult }) => setResult(presentable(result, mask, order)) }) };
    },
    onResponse({ response }) {
      // Whether the connection is kept is for the server to say; yoga says so of answers in parts, also while the graph closes.
      response?.headers.delete('connection');
      // Yoga lets event streams be stored.
      if (response?.headers.get('content-type')?.startsWith('text/event-stream')) response.headers.set('cache-control', 'no-store');
    },
  },
];
