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
import { isAsyncIterable, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import { PathOrder } from '../execution/errorOrder.ts';
import { mayBeIncremental } from '../execution/plan.ts';
import { createRequestError } from '../execution/rejections.ts';
import { findAccepted, findFormat, INCREMENTAL_TYPES } from './accept.ts';
import { type LegacyPart, PendingResults } from './pendingResults.ts';

type Variables = Readonly<Record<string, unknown>>;
type Selection = FieldNode | FragmentSpreadNode | InlineFragmentNode;

/** Whether a selection is delivered incrementally. */
function isDeferred(node: Selection, schema: GraphQLSchema, variables: Variables): boolean {
  return ['defer', 'stream'].some((name) => {
    const directive = schema.getDirective(name);
    const values = directive && getDirectiveValues(directive, node, variables);
    if (!values || values.if === false) return false;
    if (name === 'stream' && !(Number(values.initialCount) >= 0 && values.initialCount !== null))
      throw createRequestError(400, 'BAD_USER_INPUT', '`initialCount` of @stream must be 0 or greater.', node);
    return true;
  });
}

/** The selections that are delivered incrementally, given the variables. Throws for directives that can't be executed. */
function findIncrementalSelections({ schema, document, operationName, variableValues }: ExecutionArgs): ReadonlySet<Selection> {
  const found = new Set<Selection>();
  const operation = getOperationAST(document, operationName);
  const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], variableValues ?? {}, { maxErrors: 0 });
  const own = operation && separateOperations(document)[operation.name?.value ?? ''];
  // The executor returns the errors.
  if (!own || !coerced) return found;
  const enter = (node: Selection) => {
    if (isDeferred(node, schema, coerced)) found.add(node);
  };
  visit(own, { Field: enter, FragmentSpread: enter, InlineFragment: enter });
  return found;
}

type Mask = (error: unknown) => Error;

/** A part with masked errors. Errors, and the results that completed at the same time, are in the order of the document. */
function maskPart({ incremental, errors, ...part }: LegacyPart, mask: Mask, order: PathOrder): LegacyPart {
  const results = incremental?.map((each) =>
    each.errors ? { ...each, errors: order.sort(each.errors).map(mask) as GraphQLError[] } : each,
  );
  return { ...(errors && { errors: order.sort(errors) }), ...part, ...(results && { incremental: order.sort(results) }) };
}

const NOT_ACCEPTED_MESSAGE =
  '@defer and @stream require an incremental response. Send `Accept: multipart/mixed`, with `incrementalSpec=v0.2` or `deferSpec=20220824` for a format, or remove the directives.';

/** The converters of responses in the format in which pending results are announced, by the context of their request. */
const converters = new WeakMap<object, PendingResults>();

/** Replaces the document of such a request. Placed next to the executor, because costs and logs are those of the client's document. */
export const usePendingResults = (): Plugin => ({
  onExecute({ executeFn, setExecuteFn, args: { document } }) {
    if (!mayBeIncremental(document)) return;
    setExecuteFn((args: ExecutionArgs) => {
      const results = converters.get(args.contextValue as object);
      return executeFn(results ? { ...args, document: results.document } : args);
    });
  },
});

/**
 * Delivers `@defer` and `@stream` in the format that the client accepts. Clients that accept none are rejected before anything is sent: Yoga would do all the work,
 * and then have no way to respond. Errors in later parts are masked like others, which Yoga does for the first part only.
 */
export const useIncremental = (mask: Mask): Plugin[] => [
  useDeferStream(),
  {
    onExecute({ args }) {
      const { params, request } = args.contextValue as YogaInitialContext;
      // Searching the source first avoids a visit of most documents.
      if (!/defer|stream/.test(params.query ?? '')) return;
      const selections = findIncrementalSelections(args);
      if (selections.size === 0) return;
      const accept = request.headers.get('accept');
      if (!findAccepted(accept, INCREMENTAL_TYPES)) throw createRequestError(406, 'BAD_REQUEST', NOT_ACCEPTED_MESSAGE);
      const order = new PathOrder(args);
      const results = findFormat(accept) === 'incrementalSpec=v0.2' ? new PendingResults(args, selections) : null;
      if (results) converters.set(args.contextValue as object, results);
      const toFormat = (part: LegacyPart): LegacyPart => {
        const masked = maskPart(part, mask, order);
        return results ? results.convert(masked) : masked;
      };
      return {
        onExecuteDone: ({ result: whole, setResult: setWhole }) => {
          // Nothing was deferred.
          if (!isAsyncIterable(whole)) return results ? setWhole(results.convert(whole as LegacyPart) as ExecutionResult) : undefined;
          return { onNext: ({ result, setResult }) => setResult(toFormat(result as LegacyPart) as ExecutionResult) };
        },
      };
    },
    onResponse({ request, response }) {
      // The server decides whether the connection stays open. Yoga would set this header for incremental responses, even during a shutdown.
      response?.headers.delete('connection');
      const type = response?.headers.get('content-type');
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
