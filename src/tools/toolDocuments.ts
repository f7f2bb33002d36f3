import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  separateOperations,
} from 'graphql';
import { StartError } from '../lib/starting.ts';
import { type AnyOperation, isRead } from '../upstream/contract/operation.ts';
import { type Annotations, annotationsOf } from './annotations.ts';
import { calledOperations } from './calledOperations.ts';
import type { InProcess } from './inProcess.ts';
import { type Argument, argumentsOf } from './jsonSchemas.ts';

/** A document that is a tool. */
export interface ToolDocument {
  /** Name of the tool: that of its operation, behind the prefix of the server. */
  readonly name: string;
  /** The operation that the tool executes. */
  readonly operationName: string;
  readonly description: string;
  readonly document: DocumentNode;
  readonly isChange: boolean;
  /** Whether a repeat of the change is sent without a key that the upstream knows: where the first was not done, it acts on the records as they are then. */
  readonly isSentUnkeyed: boolean;
  /** The query beside it that shows what a change is about, and the variables that it takes; null for tools that read. */
  readonly plan: { readonly document: DocumentNode; readonly operationName: string; readonly variables: ReadonlySet<string> } | null;
  /** Variables of the operation. */
  readonly args: readonly Argument[];
  /** Every scope that the operation and its plan may take. */
  readonly scopes: readonly string[];
  readonly annotations: Annotations;
}

/** The folder of the documents that come with the graph. */
const FOLDER = fileURLToPath(new URL('../../agents', import.meta.url));

/** Name of the query that shows what a change is about. */
const PLAN = '_plan';

/** The variables of a change that are not the caller's to give where plans are confirmed: they come with the confirmation. */
export const GUARDS: ReadonlySet<string> = new Set(['idempotencyKey', 'expectedVersion']);

/** The argument that confirms a plan. */
export const CONFIRMATION = 'confirmation';

const NAME = /^[a-z][a-z0-9_]*$/;

/** The comment at the head of a text. */
const commentOf = (source: string): string =>
  (/^(?:#[^\n]*\n)+/.exec(source)?.[0] ?? '')
    .split('\n')
    .map((line) => line.replace(/^#\s?/, ''))
    .join(' ')
    .trim();

interface Source {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

function sourcesIn(folder: string): readonly Source[] {
  if (!existsSync(folder)) throw new StartError(`MCP_DOCUMENTS must be a folder, but ${folder} doesn’t exist.`);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.graphql'))
    .sort();
  if (files.length === 0) throw new StartError(`MCP_DOCUMENTS must be a folder of .graphql files, but ${folder} has none.`);
  return files.map((file) => ({ file, name: file.replace(/\.graphql$/, ''), text: readFileSync(join(folder, file), 'utf8') }));
}

/** An operation of a file, as a document of its own, which has passed all checks. */
interface Part {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** The operations of a file by their names, or the problems that it has as GraphQL. */
function partsOf(graph: InProcess, text: string): ReadonlyMap<string, Part> | readonly string[] {
  try {
    const parts = new Map<string, Part>();
    for (const [name, separate] of Object.entries(separateOperations(parse(text)))) {
      const document = graph.check(print(separate));
      if (!('definitions' in document)) return document;
      const operation = getOperationAST(document, name);
      if (operation) parts.set(name, { document, operation });
    }
    return parts;
  } catch (error) {
    return [(error as Error).message];
  }
}

const variablesOf = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions.map(({ variable }) => variable.name.value);

/** Root fields that answer a union without saying which of its members: a failure would be taken for an answer. */
function fieldsWithoutTypename(schema: GraphQLSchema, { selectionSet, operation }: OperationDefinitionNode): string[] {
  const fields = schema.getRootType(operation)?.getFields() ?? {};
  const isTypename = (node: SelectionNode) => node.kind === Kind.FIELD && node.name.value === '__typename' && !node.alias;
  return selectionSet.selections.flatMap((node) => {
    const field = node.kind === Kind.FIELD ? fields[node.name.value] : undefined;
    if (!field || node.kind !== Kind.FIELD || !isUnionType(getNamedType(field.type))) return [];
    return node.selectionSet?.selections.some(isTypename) ? [] : [field.name];
  });
}

/** Problems of an operation that checks out as GraphQL, but makes no tool. */
function* problemsOf(
  schema: GraphQLSchema,
  name: string,
  { operation }: Part,
  plan: Part | undefined,
  args: readonly Argument[],
): Generator<string> {
  const given = new Set(args.map((arg) => arg.name));
  for (const field of fieldsWithoutTypename(schema, operation))
    yield `${field} must select __typename, so that errors can be distinguished from results`;
  if (given.has(CONFIRMATION)) yield `the variable $${CONFIRMATION} is reserved by the server`;
  if (operation.operation !== 'mutation') {
    if (plan) yield `a query can’t have a plan; remove ${name}${PLAN}`;
    return;
  }
  if (!given.has('idempotencyKey')) yield 'the mutation must have the variable $idempotencyKey';
  if (operation.selectionSet.selections.length !== 1) yield 'the mutation must select exactly one field';
  if (plan?.operation.operation !== 'query')
    yield `the file must also contain a query called ${name}${PLAN} that returns the records to be changed`;
  const further = plan ? variablesOf(plan.operation).filter((variable) => !given.has(variable)) : [];
  if (further.length > 0) yield `the plan can only use variables of the mutation, but uses ${further.join(', ')}`;
}

/** Problem of a cost, by sample values: the limits of pages stand in the document. */
function costProblem(graph: InProcess, { document, operation }: Part, args: readonly Argument[]): string | undefined {
  const samples = new Map(args.map(({ name, sample }) => [name, sample]));
  const variables = Object.fromEntries(variablesOf(operation).map((name) => [name, samples.get(name)]));
  return graph.costProblem(document, operation.name?.value ?? '', variables);
}

const scopesOf = (operations: readonly AnyOperation[]): readonly string[] =>
  [...new Set(operations.flatMap(({ scopes }) => scopes))].sort();

function toolOf(graph: InProcess, prefix: string, { name, text }: Source): ToolDocument | readonly string[] {
  const parts = partsOf(graph, text);
  if (!('get' in parts)) return parts;
  const own = parts.get(name);
  const plan = parts.get(name + PLAN);
  if (!own || parts.size > (plan ? 2 : 1))
    return [`the file must contain one operation called ${name}, like the file, and no other except its plan`];
  const all = plan ? [own, plan] : [own];
  const description = commentOf(text);
  const args = argumentsOf(graph.schema, own.operation, own.document);
  const problems = [
    ...(NAME.test(name) ? [] : ['the file name must be lowercase letters, digits, and underscores, and start with a letter']),
    ...(description === '' ? ['the file must start with a comment, which is the description of the tool'] : []),
    ...problemsOf(graph.schema, name, own, plan, args),
    ...all.flatMap((part) => costProblem(graph, part, args) ?? []),
  ];
  if (problems.length > 0) return problems;
  const called = all.flatMap(({ operation, document }) => calledOperations(graph.schema, operation, document));
  return {
    name: `${prefix}_${name}`,
    operationName: name,
    description,
    document: own.document,
    isChange: called.some((operation) => !isRead(operation)),
    isSentUnkeyed: called.some(({ effect }) => effect === 'SETTLED'),
    plan: plan ? { document: plan.document, operationName: name + PLAN, variables: new Set(variablesOf(plan.operation)) } : null,
    args,
    scopes: scopesOf(called),
    annotations: annotationsOf(called),
  };
}

/** A description that names other tools as this server calls them. */
const withPrefix = (description: string, prefix: string, names: ReadonlySet<string>): string =>
  description.replace(/`([a-z0-9_]+)`/g, (whole, name: string) => (names.has(name) ? `\`${prefix}_${name}\`` : whole));

/** Reads the documents of a folder as tools. Fails with a StartError that lists every problem. */
export function readToolDocuments(
  graph: InProcess,
  { prefix, folder = FOLDER }: { readonly prefix: string; readonly folder?: string | undefined },
): readonly ToolDocument[] {
  const problems: string[] = [];
  const tools: ToolDocument[] = [];
  const sources = sourcesIn(folder);
  const names = new Set(sources.map(({ name }) => name));
  for (const source of sources) {
    const tool = toolOf(graph, prefix, source);
    if ('name' in tool) tools.push({ ...tool, description: withPrefix(tool.description, prefix, names) });
    else problems.push(...tool.map((problem) => `${source.file}: ${problem}`));
  }
  if (problems.length > 0) {
    const listed = problems.map((problem) => `MCP_DOCUMENTS: ${problem}`);
    throw new StartError(`Invalid tool documents:\n  ${problems.join('\n  ')}`, undefined, listed);
  }
  return tools;
}
