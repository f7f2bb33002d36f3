import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { parseJson } from '../../lib/json.ts';
import { findProblem } from '../../schema/kit/jsonValues.ts';
import { currentRequest } from '../execution/currentRequest.ts';
import { createDocumentError, createRequestError } from '../execution/rejections.ts';
import { findAccepted, RESPONSE_TYPES } from './accept.ts';
import { JSON_TYPE } from './contentType.ts';

/** Parameters of a request, as sent. */
export interface RequestParams extends GraphQLParams {
  readonly documentId?: unknown;
}

/** The parameters in a request body. Other members are ignored, as GraphQL over HTTP requires. */
export const readParams = ({ query, operationName, variables, extensions, documentId }: RequestParams): RequestParams =>
  ({ query, operationName, variables, extensions, documentId }) as RequestParams;

/** Rejects variables that contain keys such as `__proto__`, and operation names that aren't strings. */
export function checkParams({ operationName, variables, extensions }: GraphQLParams): void {
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw createRequestError(400, 'BAD_REQUEST', '`operationName` must be a string.');
  for (const [name, value] of Object.entries({ variables, extensions })) {
    const problem = findProblem(value);
    if (problem) throw createDocumentError('BAD_USER_INPUT', `\`${name}\` ${problem}.`);
  }
}

/**
 * Accepts only JSON, because a form of another site could send other types with a user's browser. Rejects GET requests whose variables aren't JSON, clients
 * that accept none of the media types (Yoga would notice that only after executing a mutation), and variables that access a prototype.
 */
export const useRequestForm = (): Plugin => ({
  onRequestParse({ request, url, endResponse, fetchAPI }) {
    if (!findAccepted(request.headers.get('accept'), RESPONSE_TYPES)) {
      const message = `Not acceptable. Supported media types: ${RESPONSE_TYPES.join(', ')}.`;
      const body = { errors: [{ message, extensions: { code: 'BAD_REQUEST' satisfies ErrorCode } }] };
      currentRequest.getStore()?.log.onRejected(['BAD_REQUEST']);
      return endResponse(fetchAPI.Response.json(body, { status: 406 }));
    }
    if (request.method === 'POST' && request.headers.get('content-type') !== JSON_TYPE)
      throw createRequestError(415, 'BAD_REQUEST', 'Content-Type must be application/json with UTF-8 encoding.');
    const coding = request.headers.get('content-encoding') ?? 'identity';
    if (coding !== 'identity')
      throw createRequestError(415, 'BAD_REQUEST', 'Content-Encoding isn’t supported. Send the body uncompressed.');
    const texts = request.method === 'GET' ? [url.searchParams.get('variables'), url.searchParams.get('extensions')] : [];
    if (texts.some((text) => text && parseJson(text) === undefined))
      throw createRequestError(400, 'BAD_REQUEST', '`variables` and `extensions` must be valid JSON.');
  },
  onParams({ params, setParams }) {
    const sent = readParams(params ?? {});
    checkParams(sent);
    setParams(sent);
  },
});
