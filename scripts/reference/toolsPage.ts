import { type GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { systemClock } from '../../src/lib/clock.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import type { InProcessExecutor, ToolCaller } from '../../src/tools/inProcess.ts';
import { readToolDocuments } from '../../src/tools/toolDocuments.ts';
import { Tools } from '../../src/tools/tools.ts';
import { createKeyCredential } from '../../src/upstream/access/credential.ts';

/** The prefix of tool names. */
const PREFIX = 'svc';

const rejectCall = () => Promise.reject(new Error('The tools are only listed here.'));

/** A graph that validates the documents of the tools, but can't execute them. */
const createGraphStub = (schema: GraphQLSchema): InProcessExecutor => ({
  schema,
  parseAndValidate: (text) => {
    const document = parse(text);
    const problems = validate(schema, document).map((problem: GraphQLError) => problem.message);
    return problems.length > 0 ? problems : document;
  },
  findCostProblem: () => undefined,
  execute: rejectCall,
  rehearse: rejectCall,
  findMissingScopes: () => Promise.resolve([]),
});

const ANONYMOUS: ToolCaller = {
  credential: createKeyCredential('none'),
  requestId: '',
  response: { destroyed: false, writableFinished: false, on: () => undefined },
};

/** A tool as returned to clients, with the scopes that its operations require. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly isWrite: boolean;
}

/** `svc_find_customer` becomes "Find customer". */
function createTitle(name: string): string {
  const words = name.slice(PREFIX.length + 1).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The built-in tools, as returned by `tools/list`. */
export async function listTools(schema: GraphQLSchema): Promise<readonly ListedTool[]> {
  const graph = createGraphStub(schema);
  const documents = readToolDocuments(graph);
  const confirmations = new Confirmations('', systemClock);
  const tools = new Tools({ graph, documents, writes: 'direct', confirmations, maxResultBytes: 0, onCall: () => undefined });
  const listed = await tools.list(ANONYMOUS);
  return listed.map(({ name, title, description = '', annotations }) => ({
    name,
    title: title ?? annotations?.title ?? createTitle(name),
    description,
    scopes: documents.find((document) => document.name === name)?.scopes ?? [],
    isWrite: annotations?.readOnlyHint !== true,
  }));
}

/** Escapes text for a table cell. */
const escapeCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const formatRow = ({ name, title, description, scopes }: ListedTool) =>
  `| \`${name}\` | ${escapeCell(title)} | ${escapeCell(description)} | ${scopes.map((scope) => `\`${scope}\``).join(', ') || 'none'} |`;

const formatTable = (tools: readonly ListedTool[]) =>
  ['| Tool | Title | What it does | Required scopes |', '| --- | --- | --- | --- |', ...tools.map(formatRow)].join('\n');

/** Creates the page that lists the tools for agents, in Markdown. */
export async function createToolsPage(schema: GraphQLSchema): Promise<string> {
  const tools = await listTools(schema);
  return `Tools that the graph serves to agents over MCP, with the scopes that an API key needs for each. A tool is only listed for keys that have all of its scopes. See [agent tools](/agents/) for setup, results and confirmations.

## Read

${formatTable(tools.filter(({ isWrite }) => !isWrite))}

## Write

These require \`MCP_WRITES=confirm\` or \`direct\`.

${formatTable(tools.filter(({ isWrite }) => isWrite))}
`;
}
