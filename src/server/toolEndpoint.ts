import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ApiError, ForbiddenError, UnauthenticatedError } from '../failures/failures.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';
import { Confirmations } from '../tools/confirmations.ts';
import type { InProcessExecutor, ToolCaller } from '../tools/inProcess.ts';
import { readToolDocuments } from '../tools/toolDocuments.ts';
import { createToolServer } from '../tools/toolServer.ts';
import { Tools } from '../tools/tools.ts';
import { createChallenge, RPC_CODES, toToolBody } from './auth/refusal.ts';
import type { CurrentRequest } from './execution/currentRequest.ts';
import { type BodyProblem, readBody } from './http/body.ts';
import { sendBody } from './http/compression.ts';
import { JSON_TYPE } from './http/contentType.ts';
import { isLoopback, LOOPBACK_HOSTS } from './http/loopback.ts';
import { type Config, describeMissingCredential } from './settings/config.ts';

/** Maximum size of a request or response, in bytes. Source: the limits of the upstream's own tool server. */
const MAX_ENVELOPE_BYTES = 256 * 1024;

/** Characters of the key hash in the log: enough to distinguish callers. */
const LOGGED_HASH = 8;

/** A response to a request that reaches no tool. */
interface ToolRejection {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Code of the JSON-RPC error. Default: that of failures of the server. */
  readonly code?: number;
}

const JSON_RESPONSE_TYPE = 'application/json; charset=utf-8';

function sendRejection(response: ServerResponse, { status, message, headers = {}, code }: ToolRejection): void {
  const body = JSON.stringify(toToolBody(message, null, code));
  response.writeHead(status, { 'content-type': JSON_RESPONSE_TYPE, ...headers }).end(body);
}

/** Responds if the tool server is disabled. */
export const sendNoTools = (response: ServerResponse): void =>
  sendRejection(response, { status: 404, message: 'The MCP server is disabled. Set MCP=true to enable it.' });

/** The lowercase host name of a URL, without its port. Null if the URL is invalid. */
const getHostname = (address: string): string | null => (URL.canParse(address) ? new URL(address).hostname.toLowerCase() : null);

/** The hosts that requests can name: the configured ones, otherwise those of this machine if only it can reach the server. Null if any is allowed. */
function getAllowedHosts({ MCP_HOSTS, HOST }: Config): ReadonlySet<string> | null {
  if (MCP_HOSTS.length > 0) return new Set(MCP_HOSTS.map((host) => host.toLowerCase()));
  return isLoopback(HOST) ? new Set(LOOPBACK_HOSTS) : null;
}

/** Why a request is rejected because of its head. A page of another site, or a rebound DNS name, must not reach the tools with a user's browser. */
function checkHead({ method, headers }: IncomingMessage, hosts: ReadonlySet<string> | null): ToolRejection | undefined {
  const { host = '', origin, 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers;
  const from = origin === undefined ? undefined : getHostname(origin);
  const own = getHostname(`http://${host}`);
  if (hosts && (own === null || !hosts.has(own))) return { status: 403, message: 'This host isn’t allowed. Add it to MCP_HOSTS.' };
  if (from !== undefined && (from === null || !(hosts ? hosts.has(from) : from === own)))
    return { status: 403, message: 'This origin isn’t allowed. Add its host to MCP_HOSTS.' };
  if (method !== 'POST')
    return { status: 405, message: 'Method not allowed. Use POST; this server has no event stream.', headers: { allow: 'POST' } };
  if (type !== JSON_TYPE)
    return { status: 415, message: 'Content-Type must be application/json with UTF-8 encoding.', headers: { accept: JSON_TYPE } };
  if (coding !== 'identity')
    return {
      status: 415,
      message: 'Content-Encoding isn’t supported. Send the body uncompressed.',
      headers: { 'accept-encoding': 'identity' },
    };
  return undefined;
}

const TOO_LARGE: ToolRejection = { status: 413, message: `The body exceeds ${MAX_ENVELOPE_BYTES} bytes.` };

/** The rejection of a request without a valid credential. */
const createUnauthenticated = (message: string, metadataUrl: string | null): ToolRejection => ({
  status: 401,
  message,
  headers: { 'www-authenticate': createChallenge(metadataUrl) },
});

const NOT_JSON: ToolRejection = { status: 400, code: RPC_CODES.parseError, message: 'The body isn’t valid JSON.' };

/** Also for a batch, whose responses would have no size limit. */
const NOT_A_MESSAGE: ToolRejection = {
  status: 400,
  code: RPC_CODES.invalidRequest,
  message: 'The body must be a single JSON-RPC message. Send the messages of a batch one by one.',
};

/** The rejection of a request whose body can't be read. */
function toBodyRejection({ status, message }: BodyProblem): ToolRejection {
  if (status === TOO_LARGE.status) return TOO_LARGE;
  return status === 503 ? { status, message, headers: { 'retry-after': '1' } } : { ...NOT_JSON, message };
}

/** Why a key can't call any tool. Undefined if it can call some. */
async function checkKey(graph: InProcessExecutor, caller: ToolCaller, metadataUrl: string | null): Promise<ToolRejection | undefined> {
  try {
    await graph.findMissingScopes(caller, []);
    return undefined;
  } catch (error) {
    if (error instanceof UnauthenticatedError) return createUnauthenticated(error.message, metadataUrl);
    if (error instanceof ForbiddenError) return { status: 403, message: error.message };
    if (error instanceof ApiError) return { status: 503, message: error.message, headers: { 'retry-after': '1' } };
    throw error;
  }
}

/** The message of a response that protocol versions of 2025 send as a stream with a single event. Null for any other response. */
const extractEvent = (text: string): string | null => /^event: message\ndata: ([^\n]+)\n\n$/.exec(text)?.[1] ?? null;

/** Sends a response, as JSON in all protocol versions. */
async function send(request: IncomingMessage, response: ServerResponse, source: Response, id: unknown): Promise<void> {
  const text = await source.text();
  // The client disconnected.
  if (response.destroyed) return;
  const event = extractEvent(text);
  const body = event ?? text;
  const type = event === null ? source.headers.get('content-type') : JSON_RESPONSE_TYPE;
  if (Buffer.byteLength(body) <= MAX_ENVELOPE_BYTES) {
    return sendBody(request, response, source.status, type ? ['content-type', type] : [], body);
  }
  const message = `The response exceeds ${MAX_ENVELOPE_BYTES} bytes. Request less data. If you requested a mutation, it may have been executed.`;
  const refusal = JSON.stringify(toToolBody(message, id ?? null));
  response.writeHead(200, { 'content-type': JSON_RESPONSE_TYPE }).end(refusal);
}

export interface ToolEndpointOptions {
  readonly config: Config;
  readonly graph: InProcessExecutor;
  readonly logger: Logger;
  /** URL of the metadata for signing in. Null if sign-in is disabled. */
  readonly metadataUrl: string | null;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
}

export type ToolEndpoint = (current: CurrentRequest) => Promise<void>;

/** Reads the tool documents and creates the tool server. Throws StartError if either fails. */
export async function createToolEndpoint({
  config,
  graph,
  logger,
  metadataUrl,
  clock = systemClock,
}: ToolEndpointOptions): Promise<ToolEndpoint> {
  const { MCP_WRITES, MCP_SECRET, MCP_DOCUMENTS, MCP_MAX_RESULT_BYTES } = config;
  if (MCP_WRITES === 'confirm' && MCP_SECRET === '') logger.warn('MCP_SECRET not set, confirmations are valid only for this process');
  const tools = new Tools({
    graph,
    documents: readToolDocuments(graph, MCP_DOCUMENTS),
    writes: MCP_WRITES,
    confirmations: new Confirmations(MCP_SECRET, clock),
    maxResultBytes: MCP_MAX_RESULT_BYTES,
    onCall: (tool, { credential: { keyHash }, requestId }, outcome, ms) =>
      logger.info({ requestId, tool, key: keyHash.slice(0, LOGGED_HASH), outcome, ms }, 'tool call'),
  });
  const server = await createToolServer(
    tools,
    (error) => logger.error({ err: error }, 'unexpected error'),
    (error) => logger.debug({ err: error }, 'mcp message rejected'),
  );
  const hosts = getAllowedHosts(config);
  return async ({ credential, requestId, request, response }) => {
    const refused = checkHead(request, hosts);
    if (refused) return sendRejection(response, refused);
    if (credential === null) return sendRejection(response, createUnauthenticated(describeMissingCredential(config), metadataUrl));
    const body = await readBody(request, response, MAX_ENVELOPE_BYTES);
    if (body === null) return;
    if (typeof body !== 'string') return sendRejection(response, toBodyRejection(body));
    const message = parseJson(body);
    if (message === undefined) return sendRejection(response, NOT_JSON);
    if (!isJsonObject(message)) return sendRejection(response, NOT_A_MESSAGE);
    const caller: ToolCaller = { credential, requestId, response };
    const keyRejection = await checkKey(graph, caller, metadataUrl);
    if (keyRejection) return sendRejection(response, keyRejection);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const fetchRequest = new Request(`http://${request.headers.host || 'localhost'}${request.url}`, { method: 'POST', headers, body });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } };
    await send(request, response, await server.fetch(fetchRequest, { authInfo, parsedBody: message }), message.id);
  };
}
