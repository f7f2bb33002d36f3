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
import { PACKAGE_ROOT } from '../lib/packageRoot.ts';
import { StartError } from '../lib/startup.ts';
import { listPlannedFields, type PlannedField, planCalls } from '../schema/cost/callPlan.ts';
import { getCostExtensions } from '../schema/cost/fieldCalls.ts';
import { type AnyOperation, isRead } from '../upstream/contract/operation.ts';
import { toLabel } from './displayValues.ts';
import type { InProcessExecutor } from './inProcess.ts';
import { type Argument, listArguments } from './inputSchemas.ts';
import { findDirectiveProblems, mapCollectedVariables, removeToolDirectives } from './toolDirectives.ts';

/** The upstream operations that an operation of a document can call, without duplicates. Excludes reads that explain a failure. */
function listCalledOperations(schema: GraphQLSchema, { document, operation }: ParsedOperation): readonly AnyOperation[] {
  const plan = planCalls(schema, document, operation, null);
  const fields = plan ? [...listPlannedFields(plan)] : [];
  const called = fields.flatMap((planned) => [...planned.listOperations(), getCostExtensions(planned.field).compares ?? []].flat());
  return [...new Set(called)];
}

/** MCP tool annotations: hints that hosts use to decide when to ask a person. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Writes that only add records or send messages. MCP calls all other writes destructive, because they replace or end something. */
const ADDITIVE = /\/(Add|Attach|Create(?!Refund)|Email|Resend|Send)/;
/** Writes that reach customers, other people, or payment providers. */
const EXTERNAL = /\/(AddCorrespondenceMessage|CreatePayment|CreateRefund|Email|Resend|Send)/;

/** Derives the annotations of a tool from the operations that it can call. Writes are idempotent, because each has an idempotency key. */
export function deriveAnnotations(operations: readonly AnyOperation[]): Annotations {
  const writes = operations.filter((operation) => !isRead(operation)).map(({ name }) => name);
  return {
    readOnlyHint: writes.length === 0,
    destructiveHint: writes.some((name) => !ADDITIVE.test(name)),
    idempotentHint: true,
    openWorldHint: writes.some((name) => EXTERNAL.test(name)),
  };
}

/** The query that returns the records that a write affects. */
export interface PlanDocument {
  readonly document: DocumentNode;
  readonly operationName: string;
  /** The operation as written, with the directives on its variables. */
  readonly source: OperationDefinitionNode;
  readonly operation: OperationDefinitionNode;
  /** The selected fields, with tool directives. */
  readonly fields: readonly PlannedField[];
}

/** A document that defines a tool. */
export interface ToolDocument {
  /** Name of the tool: a prefix, and the name of the operation. */
  readonly name: string;
  readonly title: string;
  /** Name of the operation that the tool executes. */
  readonly operationName: string;
  readonly description: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The selected fields, with tool directives. */
  readonly fields: readonly PlannedField[];
  readonly isWrite: boolean;
  /** Whether the upstream can't recognize a repeated write by a key. Repeating a failed write then acts on the current records. */
  readonly hasNoUpstreamKey: boolean;
  /** Null for tools that read. */
  readonly plan: PlanDocument | null;
  /** Variables of the operation. */
  readonly args: readonly Argument[];
  /** All scopes that the operation and its plan can require. */
  readonly scopes: readonly string[];
  readonly annotations: Annotations;
}

/** The folder of the built-in tools. */
const DEFAULT_FOLDER = fileURLToPath(new URL('src/tools/documents', PACKAGE_ROOT));

/** Suffix of the query that returns the records that a write affects. */
const PLAN = '_plan';

/** The argument that confirms a plan. */
export const CONFIRMATION = 'confirmation';

const NAME = /^[a-z][a-z0-9_]*$/;

interface DocumentHeader {
  readonly title: string | undefined;
  readonly description: string;
}

/** Parses the comment at the start of a file: a title and a description, separated by an empty line, or only a description. */
function parseHeader(source: string): DocumentHeader {
  const lines = (/^(?:#[^\n]*\n)+/.exec(source)?.[0] ?? '').split('\n').map((line) => line.replace(/^#\s?/, '').trim());
  const [title, separator, ...rest] = lines;
  const hasTitle = separator === '' && rest.some((line) => line !== '');
  return { title: hasTitle ? title : undefined, description: (hasTitle ? rest : lines).join(' ').trim() };
}

interface ToolSource {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

function readSources(folder: string): readonly ToolSource[] {
  if (!existsSync(folder)) throw new StartError(`MCP_DOCUMENTS must be a folder, but ${folder} doesn’t exist.`);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.graphql'))
    .sort();
  if (files.length === 0) throw new StartError(`MCP_DOCUMENTS must be a folder of .graphql files, but ${folder} has none.`);
  return files.map((file) => ({ file, name: file.replace(/\.graphql$/, ''), text: readFileSync(join(folder, file), 'utf8') }));
}

/** An operation of a file, as a separate valid document. */
interface ParsedOperation {
  /** The document as written. */
  readonly source: DocumentNode;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** Parses the operations of a file, by name. Returns its GraphQL errors if it's invalid. */
function parseOperations(graph: InProcessExecutor, text: string): ReadonlyMap<string, ParsedOperation> | readonly string[] {
  try {
    const operations = new Map<string, ParsedOperation>();
    for (const [name, source] of Object.entries(separateOperations(parse(text)))) {
      const document = graph.parseAndValidate(print(removeToolDirectives(source)));
      if (!('definitions' in document)) return document;
      const operation = getOperationAST(document, name);
      if (operation) operations.set(name, { source, document, operation });
    }
    return operations;
  } catch (error) {
    return [(error as Error).message];
  }
}

const listVariableNames = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions.map(({ variable }) => variable.name.value);

/** Root fields that return a union and don't select its `__typename`, without which errors would be treated as results. */
function findFieldsWithoutTypename(schema: GraphQLSchema, { selectionSet, operation }: OperationDefinitionNode): string[] {
  const fields = schema.getRootType(operation)?.getFields() ?? {};
  const isTypename = (node: SelectionNode) => node.kind === Kind.FIELD && node.name.value === '__typename' && !node.alias;
  return selectionSet.selections.flatMap((node) => {
    const field = node.kind === Kind.FIELD ? fields[node.name.value] : undefined;
    if (!field || node.kind !== Kind.FIELD || !isUnionType(getNamedType(field.type))) return [];
    return node.selectionSet?.selections.some(isTypename) ? [] : [field.name];
  });
}

/** Finds problems of a valid operation that prevent its use as a tool. */
function* findProblems(
  schema: GraphQLSchema,
  name: string,
  { operation, source }: ParsedOperation,
  plan: ParsedOperation | undefined,
  args: readonly Argument[],
): Generator<string> {
  const argumentNames = new Set(args.map((arg) => arg.name));
  for (const { source: written } of plan ? [{ source }, plan] : [{ source }]) yield* findDirectiveProblems(written, argumentNames);
  for (const field of findFieldsWithoutTypename(schema, operation))
    yield `${field} must select __typename, so that errors can be distinguished from results`;
  if (argumentNames.has(CONFIRMATION)) yield `the variable $${CONFIRMATION} is reserved by the server`;
  if (operation.operation !== 'mutation') {
    if (plan) yield `a query can’t have a plan; remove ${name}${PLAN}`;
    return;
  }
  if (!argumentNames.has('idempotencyKey')) yield 'the mutation must have the variable $idempotencyKey';
  if (operation.selectionSet.selections.length !== 1) yield 'the mutation must select exactly one field';
  if (plan?.operation.operation !== 'query')
    yield `the file must also contain a query called ${name}${PLAN} that returns the records to be changed`;
  const collected = plan ? mapCollectedVariables(getSourceOperation(plan)) : new Map();
  const unknown = plan
    ? listVariableNames(getSourceOperation(plan)).filter((variable) => !argumentNames.has(variable) && !collected.has(variable))
    : [];
  if (unknown.length > 0) yield `the plan can only use variables of the mutation, but uses ${unknown.join(', ')}`;
}

/** The cost problem of an operation with the largest pages that its arguments allow. Undefined if it has none. */
function findCostProblem(graph: InProcessExecutor, { document, operation }: ParsedOperation): string | undefined {
  const samples = new Map(listArguments(graph.schema, operation, document).map(({ name, sample }) => [name, sample]));
  const variables = Object.fromEntries(listVariableNames(operation).map((name) => [name, samples.get(name)]));
  return graph.findCostProblem(document, operation.name?.value ?? '', variables);
}

/** The operation as written. */
const getSourceOperation = ({ source, operation }: ParsedOperation): OperationDefinitionNode =>
  getOperationAST(source, operation.name?.value) as OperationDefinitionNode;

/** The selected fields of an operation, with its tool directives. */
function listFields(schema: GraphQLSchema, parsed: ParsedOperation): readonly PlannedField[] {
  const root = planCalls(schema, parsed.source, getSourceOperation(parsed), null);
  return root?.listTypes().flatMap((type) => root.select(type).fields) ?? [];
}

const listScopes = (operations: readonly AnyOperation[]): readonly string[] =>
  [...new Set(operations.flatMap(({ scopes }) => scopes))].sort();

/** Distinguishes the tools from those of other servers in the list of a host. */
const toToolName = (name: string) => `svc_${name}`;

function createTool(graph: InProcessExecutor, { name, text }: ToolSource): ToolDocument | readonly string[] {
  const operations = parseOperations(graph, text);
  if (!('get' in operations)) return operations;
  const own = operations.get(name);
  const plan = operations.get(name + PLAN);
  if (!own || operations.size > (plan ? 2 : 1))
    return [`the file must contain one operation called ${name}, like the file, and no other except its plan`];
  const all = plan ? [own, plan] : [own];
  const { title = toLabel(name), description } = parseHeader(text);
  const args = listArguments(graph.schema, own.operation, own.document);
  const problems = [
    ...(NAME.test(name) ? [] : ['the file name must be lowercase letters, digits, and underscores, and start with a letter']),
    ...(description === '' ? ['the file must start with a comment, which is the description of the tool'] : []),
    ...findProblems(graph.schema, name, own, plan, args),
    ...all.flatMap((part) => findCostProblem(graph, part) ?? []),
  ];
  if (problems.length > 0) return problems;
  const called = all.flatMap((part) => listCalledOperations(graph.schema, part));
  return {
    name: toToolName(name),
    title,
    operationName: name,
    description,
    document: own.document,
    operation: own.operation,
    fields: listFields(graph.schema, own),
    isWrite: called.some((operation) => !isRead(operation)),
    hasNoUpstreamKey: called.some(({ effect }) => effect === 'SETTLED'),
    plan: plan
      ? {
          document: plan.document,
          operationName: name + PLAN,
          source: getSourceOperation(plan),
          operation: plan.operation,
          fields: listFields(graph.schema, plan),
        }
      : null,
    args,
    scopes: listScopes(called),
    annotations: deriveAnnotations(called),
  };
}

/** Adds the prefix to the names of other tools in a file's description and messages. */
const prefixToolNames = (text: string, names: ReadonlySet<string>): string =>
  text.replace(/`([a-z0-9_]+)`/g, (whole, name: string) => (names.has(name) ? `\`${toToolName(name)}\`` : whole));

/** Reads the documents of a folder as tools. Throws a StartError that lists every problem. */
export function readToolDocuments(graph: InProcessExecutor, folder = DEFAULT_FOLDER): readonly ToolDocument[] {
  const problems: string[] = [];
  const tools: ToolDocument[] = [];
  const sources = readSources(folder);
  const names = new Set(sources.map(({ name }) => name));
  for (const source of sources) {
    const tool = createTool(graph, { ...source, text: prefixToolNames(source.text, names) });
    if ('name' in tool) tools.push(tool);
    else problems.push(...tool.map((problem) => `${source.file}: ${problem}`));
  }
  if (problems.length > 0) {
    const listed = problems.map((problem) => `MCP_DOCUMENTS: ${problem}`);
    throw new StartError(`Invalid tool documents:\n  ${problems.join('\n  ')}`, undefined, listed);
  }
  return tools;
}
