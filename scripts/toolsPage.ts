import { type GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { systemClock } from '../src/lib/clock.ts';
import { Confirmations } from '../src/tools/confirmations.ts';
import type { Caller, InProcessExecutor } from '../src/tools/inProcess.ts';
import { readToolDocuments } from '../src/tools/toolDocuments.ts';
import { Tools } from '../src/tools/tools.ts';

/** Prefix of the names, as a server without settings has it. */
const PREFIX = 'svc';

const unused = () => Promise.reject(new Error('The tools are only listed here.'));

/** A graph that validates the documents of the tools, and executes none. */
const graphOver = (schema: GraphQLSchema): InProcessExecutor => ({
  schema,
  parseAndValidate: (text) => {
    const document = parse(text);
    const problems = validate(schema, document).map((problem: GraphQLError) => problem.message);
    return problems.length > 0 ? problems : document;
  },
  findCostProblem: () => undefined,
  execute: unused,
  rehearse: unused,
  findMissingScopes: () => Promise.resolve([]),
});

const ANONYMOUS: Caller = { apiKey: '', requestId: '', response: { closed: false, writableFinished: false, on: () => undefined } };

/** A tool as clients see it, with the scopes that its operations require. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly isWrite: boolean;
}

/** `svc_find_customer` is "Find customer". */
function titleOf(name: string): string {
  const words = name.slice(PREFIX.length + 1).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The tools that come with the graph, as `tools/list` returns them. */
export async function listedTools(schema: GraphQLSchema): Promise<readonly ListedTool[]> {
  const graph = graphOver(schema);
  const documents = readToolDocuments(graph, { prefix: PREFIX });
  const confirmations = new Confirmations('', systemClock);
  const tools = new Tools({ graph, documents, writes: 'direct', confirmations, maxResultBytes: 0, onCall: () => undefined });
  const listed = await tools.list(ANONYMOUS);
  return listed.map(({ name, title, description = '', annotations }) => ({
    name,
    title: title ?? annotations?.title ?? titleOf(name),
    description,
    scopes: documents.find((document) => document.name === name)?.scopes ?? [],
    isWrite: annotations?.readOnlyHint !== true,
  }));
}

/** The text of a table cell. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const row = ({ name, title, description, scopes }: ListedTool) =>
  `| \`${name}\` | ${cell(title)} | ${cell(description)} | ${scopes.map((scope) => `\`${scope}\``).join(', ') || 'none'} |`;

const table = (tools: readonly ListedTool[]) =>
  ['| Tool | Title | What it does | Required scopes |', '| --- | --- | --- | --- |', ...tools.map(row)].join('\n');

/** Page that lists the tools for agents, in Markdown. */
export async function toolsPage(schema: GraphQLSchema): Promise<string> {
  const tools = await listedTools(schema);
  return `Tools that the graph serves to agents over MCP, with the scopes that an API key needs for each. A tool is only listed for keys that have all of its scopes. See [agent tools](/agents/) for setup, results and confirmations.

## Read

${table(tools.filter(({ isWrite }) => !isWrite))}

## Write

These require \`MCP_WRITES=confirm\` or \`direct\`.

${table(tools.filter(({ isWrite }) => isWrite))}
`;
}
