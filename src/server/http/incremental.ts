import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import {
  type DocumentNode,
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
import { isAsyncIterable, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { JsonObject } from '../../lib/json.ts';
import type { OperationPlans } from '../execution/plan.ts';
import { createRequestError } from '../execution/rejections.ts';
import { findAccepted, findFormat, INCREMENTAL_TYPES } from './accept.ts';

type Selection = FieldNode | FragmentSpreadNode | InlineFragmentNode;

/** Whether a selection is delivered incrementally. */
function isDeferred(node: Selection, schema: GraphQLSchema, variables: JsonObject): boolean {
  return ['defer', 'stream'].some((name) => {
    const directive = schema.getDirective(name);
    const values = directive && getDirectiveValues(directive, node, variables);
    if (!values || values.if === false) return false;
    if (name === 'stream' && !(Number(values.initialCount) >= 0 && values.initialCount !== null))
      throw createRequestError(400, 'BAD_USER_INPUT', '`initialCount` of @stream must be 0 or greater.', node);
    return true;
  });
}

/** Whether an operation delivers results incrementally, given the variables. Throws for directives that can't be executed. */
function isIncremental({ schema, document, operationName, variableValues }: ExecutionArgs): boolean {
  const operation = getOperationAST(document, operationName);
  const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], variableValues ?? {}, { maxErrors: 0 });
  const own = operation && separateOperations(document)[operation.name?.value ?? ''];
  // The executor returns the errors.
  if (!own || !coerced) return false;
  let isFound = false;
  // Visits all selections, because each can have directives that can't be executed.
  const enter = (node: Selection) => {
    if (isDeferred(node, schema, coerced)) isFound = true;
  };
  visit(own, { Field: enter, FragmentSpread: enter, InlineFragment: enter });
  return isFound;
}

/** A document without @defer and @stream, whose result is complete. */
const toCompleteDocument = (document: DocumentNode): DocumentNode =>
  visit(document, { Directive: ({ name }) => (name.value === 'defer' || name.value === 'stream' ? null : undefined) });

const acceptsParts = ({ request }: YogaInitialContext): boolean =>
  findAccepted(request.headers.get('accept'), INCREMENTAL_TYPES) !== undefined;

/** Executes operations for clients that accept only complete responses. Placed next to the executor, because costs and logs are those of the client's document. */
export const useCompleteResponses = (plans: OperationPlans): Plugin => ({
  onExecute({ executeFn, setExecuteFn, args: requested }) {
    if (!plans.getPlan(requested)?.isIncremental || acceptsParts(requested.contextValue as YogaInitialContext)) return;
    setExecuteFn((args: ExecutionArgs) => executeFn({ ...args, document: toCompleteDocument(requested.document) }));
  },
});

/** A result of a part of a response. */
interface PartResult extends ExecutionResult {
  readonly incremental?: readonly ExecutionResult[];
}

/** Delivers `@defer` and `@stream`. Errors in later parts are masked like others, which Yoga does for the first part only. */
export const useIncremental = (plans: OperationPlans, mask: (error: unknown) => Error): Plugin[] => [
  useDeferStream(),
  {
    onExecute({ args }) {
      if (!plans.getPlan(args)?.isIncremental || !isIncremental(args)) return;
      const maskErrors = (each: ExecutionResult): ExecutionResult =>
        each.errors ? { ...each, errors: each.errors.map(mask) as GraphQLError[] } : each;
      return {
        onExecuteDone: ({ result: whole }) => {
          if (!isAsyncIterable(whole)) return;
          return {
            onNext: ({ result, setResult }) => {
              const { incremental } = result as PartResult;
              if (incremental) setResult({ ...result, incremental: incremental.map(maskErrors) } as PartResult);
            },
          };
        },
      };
    },
    onResponse({ request, response }) {
      // The server decides whether the connection stays open. Yoga would set this header for incremental responses, even during a shutdown.
      response?.headers.delete('connection');
      const type = response?.headers.get('content-type');
      // nginx would otherwise collect parts until its buffer is full. Source: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
      if (INCREMENTAL_TYPES.some((each) => type?.startsWith(each))) response?.headers.set('x-accel-buffering', 'no');
      if (type?.startsWith('text/event-stream')) {
        // Yoga allows caches to store event streams, and names a content coding that doesn't exist.
        response?.headers.set('cache-control', 'no-store');
        response?.headers.delete('content-encoding');
      }
      const format = findFormat(request.headers.get('accept'));
      // Apollo's clients for iOS select their parser by the parameter.
      if (type?.startsWith('multipart/mixed') && format) response?.headers.set('content-type', `${type}; ${format}`);
    },
  },
];
