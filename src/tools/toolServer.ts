import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { ApiError } from '../failures/failures.ts';
import { readManifest } from '../lib/packageRoot.ts';
import { StartError } from '../lib/startup.ts';
import type { ToolCaller } from './inProcess.ts';
import type { Tools } from './tools.ts';

type Sdk = typeof import('@modelcontextprotocol/server') & typeof import('@modelcontextprotocol/server/validators/ajv');

/** How long clients can cache the list of tools, in milliseconds. Chosen: as long as the graph caches the scopes of a key. */
const LIST_TTL_MS = 30_000;

const SERVER = { name: 'workspace-graph', title: 'Workspace Graph', version: readManifest().version };

const INSTRUCTIONS =
  'Tools for the customers, quotes, orders, billing, stock, work orders, problems, and appointments of one workspace. To get an ID, find the record with another tool first. Results are JSON with `data` and `errors`; each error has a `code`. If a list has `hasNextPage`, pass its `endCursor` as `after` to get more. `truncated` names the lists that were shortened. A write returns a `plan` first. Show it to a person, then repeat the call with the same arguments and its `confirmation`; repeating that call has no further effect.';

/** Imports the optional peer dependency, which takes a quarter of a second and 17 MB, only if tools are enabled. */
async function loadSdk(): Promise<Sdk> {
  try {
    return { ...(await import('@modelcontextprotocol/server')), ...(await import('@modelcontextprotocol/server/validators/ajv')) };
  } catch (error) {
    throw new StartError(
      'MCP=true requires the package @modelcontextprotocol/server, which can’t be loaded. Install it (npm install @modelcontextprotocol/server@2), or set MCP=false.',
      { cause: error },
    );
  }
}

/**
 * Creates a function that throws if a result doesn't match the schema of its tool. Schemas are compiled when they're first needed, because each takes about
 * 20 ms.
 */
function createResultCheck({ AjvJsonSchemaValidator }: Sdk, tools: Tools): (name: string, result: unknown) => void {
  const validator = new AjvJsonSchemaValidator();
  const checks = new Map<string, ReturnType<typeof validator.getValidator>>();
  return (name, result) => {
    const check = checks.get(name) ?? validator.getValidator(tools.getResultSchema(name));
    checks.set(name, check);
    const { valid, errorMessage } = check(result);
    if (!valid) throw new Error(`The result of ${name} doesn’t match its schema: ${errorMessage}.`);
  };
}

/** The caller of the request that a server is created for. */
const getCaller = (extra: Readonly<Record<string, unknown>> | undefined): ToolCaller => extra?.caller as ToolCaller;

/**
 * Creates a handler of the Model Context Protocol over HTTP, for both generations of the protocol. It's stateless: there are no sessions. Throws a StartError if the package is missing.
 * `onFailure` is called for failures of the graph, `onProtocolError` for messages that the protocol rejects.
 */
export async function createToolServer(
  tools: Tools,
  onFailure: (error: unknown) => void,
  onProtocolError: (error: unknown) => void,
): Promise<McpHttpHandler> {
  const sdk = await loadSdk();
  const { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } = sdk;
  const checkResult = createResultCheck(sdk, tools);
  /** The protocol sends the message of every thrown error to the client. */
  const maskErrors = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof ApiError) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
      onFailure(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal server error. See the server log for this request ID.');
    }
  };
  const createServer = (caller: ToolCaller) => {
    const server = new Server(SERVER, {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    });
    server.setRequestHandler('tools/list', () => maskErrors(async () => ({ tools: await tools.list(caller) })));
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }) => {
      if (!tools.has(name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool. Call tools/list for the available tools.');
      return maskErrors(async () => {
        const result = await tools.call(name, args, caller);
        checkResult(name, result.structuredContent);
        return result;
      });
    });
    return server;
  };
  return createMcpHandler(({ authInfo }) => createServer(getCaller(authInfo?.extra)), {
    // The mode `json` logs a warning at each start, for servers that send notifications. This server sends none, so that all responses are plain JSON.
    responseMode: 'auto',
    // Nothing changes while a client listens.
    maxSubscriptions: 0,
    onerror: onProtocolError,
  });
}
