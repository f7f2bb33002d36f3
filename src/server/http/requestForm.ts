import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { parseJson } from '../../lib/json.ts';
import { findProblem } from '../../schema/kit/jsonValues.ts';
import { type CurrentRequest, currentRequest } from '../execution/currentRequest.ts';
import { createDocumentError, createRequestError } from '../execution/rejections.ts';
import { findAccepted, RESPONSE_TYPES } from './accept.ts';
import { type BodyProblem, type JsonBody, readBody } from './body.ts';
import { JSON_TYPE } from './contentType.ts';

/** Parameters of a request, as sent. */
export interface RequestParams extends GraphQLParams {
  readonly documentId?: unknown;
}

/**
 * The parameters in a request body. Other members are ignored, as GraphQL over HTTP requires. An empty operation name is a missing one, as it defines for URLs:
 * no operation can have it.
 */
export const readParams = ({ query, operationName, variables, extensions, documentId }: RequestParams): RequestParams =>
  ({ query, operationName: operationName === '' ? undefined : operationName, variables, extensions, documentId }) as RequestParams;

/** Maximum number of variables. Chosen: clients use some dozens. Those that the operation doesn't define count too, because they're parsed. */
const MAX_VARIABLES = 1_000;

/** Whether an object has too many members. Stops counting at the limit. */
function hasTooManyMembers(value: object): boolean {
  let count = 0;
  for (const _name in value) {
    count += 1;
    if (count > MAX_VARIABLES) return true;
  }
  return false;
}

/** Rejects too many variables, variables that contain keys such as `__proto__`, and operation names that aren't strings. */
export function checkParams({ operationName, variables, extensions }: GraphQLParams): void {
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw createRequestError(400, 'BAD_REQUEST', '`operationName` must be a string.');
  if (variables && hasTooManyMembers(variables))
    throw createDocumentError('BAD_USER_INPUT', `\`variables\` must have at most ${MAX_VARIABLES} members.`);
  for (const [name, value] of Object.entries({ variables, extensions })) {
    const problem = findProblem(value);
    if (problem) throw createDocumentError('BAD_USER_INPUT', `\`${[name, ...problem.path].join('.')}\` ${problem.message}.`);
  }
}

/** Context of a request whose body may have been parsed. */
export interface BodyContext extends Pick<CurrentRequest, 'credential'> {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly body?: JsonBody;
}

function createBodyError({ status, code, message, overload }: BodyProblem): GraphQLError {
  if (!overload) return createRequestError(status, code, message);
  overload.extensions.http = { status, headers: { 'retry-after': String(overload.extensions.retryAfterSeconds) } };
  return overload;
}

/** The object in a body. Yoga checks that it has the members of a request. */
function getParams(body: JsonBody): object {
  if (!('json' in body)) throw createBodyError(body);
  const { json } = body;
  if (json === undefined) throw createDocumentError('BAD_REQUEST', 'POST body sent invalid JSON.');
  if (typeof json === 'object' && json !== null) return json;
  throw createRequestError(400, 'BAD_REQUEST', `POST body is expected to be object but received ${json === null ? json : typeof json}`);
}

/** `headers` contain what is accepted instead. Source: RFC 9110, section 15.5.16. */
const createUnsupportedError = (message: string, headers: Readonly<Record<string, string>>) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' satisfies ErrorCode, http: { status: 415, headers } } });

/** Percent-encoded bytes. */
const ENCODED = /(?:%[\da-f]{2})+/gi;

/** Whether the percent-encoded bytes of a URL are UTF-8. Otherwise, decoding it would replace them. Node.js rejects URLs that aren't ASCII. */
function isDecodable(url: string): boolean {
  try {
    for (const bytes of url.match(ENCODED) ?? []) decodeURIComponent(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Accepts only JSON, because a form of another site could send other types with a user's browser. Rejects GET requests whose variables aren't JSON, clients
 * that accept none of the media types (Yoga would notice that only after executing a mutation), and variables that access a prototype.
 */
export const useRequestForm = (waitForBody: (body: string, sender: BodyContext) => unknown): Plugin<object, BodyContext> => ({
  onRequestParse({ request, url, serverContext, setRequestParser, endResponse, fetchAPI }) {
    if (!findAccepted(request.headers.get('accept'), RESPONSE_TYPES)) {
      const message = `Not acceptable. Supported media types: ${RESPONSE_TYPES.join(', ')}.`;
      const body = { errors: [{ message, extensions: { code: 'BAD_REQUEST' satisfies ErrorCode } }] };
      currentRequest.getStore()?.log.onRejected(['BAD_REQUEST']);
      return endResponse(fetchAPI.Response.json(body, { status: 406 }));
    }
    if (request.method === 'POST' && request.headers.get('content-type') !== JSON_TYPE)
      throw createUnsupportedError('Content-Type must be application/json with UTF-8 encoding.', { accept: JSON_TYPE });
    const coding = request.headers.get('content-encoding') ?? 'identity';
    if (coding.toLowerCase() !== 'identity')
      throw createUnsupportedError('Content-Encoding isn’t supported. Send the body uncompressed.', { 'accept-encoding': 'identity' });
    const { req, res, body: known } = serverContext;
    if (request.method === 'POST') {
      return setRequestParser(async () => {
        if (known) return getParams(known);
        const body = await readBody(req, res);
        if (typeof body === 'string') await waitForBody(body, serverContext);
        return body === null ? new fetchAPI.Response() : getParams(typeof body === 'string' ? { json: parseJson(body) } : body);
      });
    }
    if (!isDecodable(req.url ?? ''))
      throw createRequestError(
        400,
        'BAD_REQUEST',
        'The URL isn’t valid UTF-8. Encode its parameters as UTF-8 before percent-encoding them.',
      );
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
