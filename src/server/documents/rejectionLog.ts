import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { currentRequest } from '../execution/currentRequest.ts';
import type { DocumentNames } from '../execution/documentNames.ts';
import { failedWith } from '../execution/outcome.ts';
import type { RequestParams } from '../http/requestForm.ts';
import { readAllParams, readRawId } from './documentIds.ts';

/** An operation name of GraphQL, which clients can send in any form. */
const NAME = /^[_A-Za-z]\w*$/;
/** Form of the unknown document IDs that are logged. Chosen: those of all known tools have this form, and a client can't inject anything with it. */
const DOCUMENT_ID = /^[\w:.-]{1,100}$/;

/** What a rejected request says about its operation. */
function describeOperation(params: RequestParams, names: DocumentNames) {
  const { query, operationName } = params;
  const id = readRawId(params);
  const name = typeof operationName === 'string' && NAME.test(operationName) ? operationName : undefined;
  const text = typeof query === 'string' && query !== '' ? names.getSourceName(query) : null;
  return { name, document: text ?? (typeof id === 'string' && DOCUMENT_ID.test(id) ? id : null) };
}

/** Logs operations that are rejected before they're executed: requests and documents that are malformed, unknown, or don't match the schema. */
export function useRejectionLog(names: DocumentNames): Plugin {
  const params = new WeakMap<Request, RequestParams>();
  return {
    onParams({ request, params: sent }) {
      params.set(request, readAllParams(request, sent ?? {}));
    },
    onResultProcess({ request, result }) {
      const log = currentRequest.getStore()?.log;
      if (!log || log.operation || isAsyncIterable(result)) return;
      const errors = (Array.isArray(result) ? result : [result]).flatMap((each) => each.errors ?? []);
      if (errors.length === 0) return;
      const { name, document } = describeOperation(params.get(request) ?? {}, names);
      log.onRejected(failedWith(errors).codes, name, document);
    },
  };
}
