// Agent tools. A tool is a document in documents/, which toolDocuments.ts reads with its directives (toolDirectives.ts). Its arguments, results, upstream

// operations, and hints are derived from the document. plans.ts plans and confirms writes. toolServer.ts implements the protocol.
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { type ExecutionResult, isObjectType } from 'graphql';
import { ApiError, ForbiddenError } from '../failures/failures.ts';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { findProblem } from '../schema/kit/jsonValues.ts';
import { findIdProblems } from './argumentIds.ts';
import { findArgumentProblems, joinPath, nameArgument } from './argumentProblems.ts';
import type { Confirmations } from './confirmations.ts';
import type { InProcessExecutor, ToolCaller } from './inProcess.ts';
import type { JsonSchema } from './inputSchemas.ts';
import { createOutputSchema, outlineSchema } from './outputSchemas.ts';
import { ChangePlans, type Rejection, type WriteTool } from './plans.ts';
import { createErrorResult, createResult, createWriteResult, type ResultBody, toErrorBody } from './results.ts';
import { applyKeepDirectives, GUARDS } from './toolDirectives.ts';
import { CONFIRMATION, type ToolDocument } from './toolDocuments.ts';
import type { WriteMode } from './writeMode.ts';

/** The outcome of a call for the log: `ANSWERED`, `PLANNED`, or an error code. */
type ToolOutcome = string;

interface FinishedCall {
  readonly outcome: ToolOutcome;
  readonly result: CallToolResult;
}

export interface ToolsOptions {
  readonly graph: InProcessExecutor;
  readonly documents: readonly ToolDocument[];
  readonly writes: WriteMode;
  readonly confirmations: Confirmations;
  /** Maximum size of a result in bytes: text and structured content together. */
  readonly maxResultBytes: number;
  /** Called when a call ends. */
  readonly onCall: (tool: string, caller: ToolCaller, outcome: ToolOutcome, ms: number) => void;
}

const HOW_TO_CONFIRM = 'Without `confirmation`, returns a plan to show to a person, and changes nothing.';

const CONFIRMATION_SCHEMA = { type: 'string', description: 'From the plan of a call with the same arguments.' };

/** Maximum number of invalid arguments in a result. Chosen: more don't help to fix a call. */
const MAX_PROBLEMS = 10;

const createFailure = (errors: readonly (ResultBody & { readonly code: string })[]): FinishedCall => ({
  outcome: errors[0]?.code ?? 'REFUSED',
  result: createErrorResult(errors),
});

/** Converts retry advice to the caller's terms: the confirmation, which contains the idempotency key. */
const toConfirmationAdvice = (retry: string): string => (retry === 'SAME_KEY' ? 'SAME_CONFIRMATION' : retry);

/** Mentions the confirmation instead of the idempotency key, which the caller doesn't know. */
const toConfirmationTerms = (error: JsonObject): JsonObject => ({
  ...error,
  ...(typeof error.message === 'string' && { message: error.message.replaceAll('idempotencyKey', CONFIRMATION) }),
  ...(typeof error.retry === 'string' && { retry: toConfirmationAdvice(error.retry) }),
});

/** Removes null arguments, because many hosts send all optional arguments. */
const omitNulls = (args: JsonObject): JsonObject => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));

/** The tools of the server: documents that are executed like requests of the caller. */
export class Tools {
  readonly #options: ToolsOptions;
  readonly #byName: ReadonlyMap<string, ToolDocument>;
  readonly #definitions: ReadonlyMap<string, Tool>;
  readonly #resultSchemas: ReadonlyMap<string, JsonSchema>;
  readonly #plans: ChangePlans;

  constructor(options: ToolsOptions) {
    this.#options = options;
    this.#plans = new ChangePlans(options);
    const enabled = options.documents.filter(({ isWrite }) => !isWrite || options.writes !== 'none');
    this.#byName = new Map(enabled.map((tool) => [tool.name, tool]));
    this.#resultSchemas = new Map(enabled.map((tool) => [tool.name, this.#createResultSchema(tool)]));
    this.#definitions = new Map(enabled.map((tool) => [tool.name, this.#describe(tool)]));
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The complete JSON Schema of the results of a tool. The list of tools contains only its outline, because many hosts add the list to every session. */
  getResultSchema(name: string): JsonSchema {
    return this.#resultSchemas.get(name) as JsonSchema;
  }

  /** The tools that the caller's key has all scopes for. Scopes must match exactly. */
  async list(caller: ToolCaller): Promise<Tool[]> {
    const tools = [...this.#byName.values()];
    const all = [...new Set(tools.flatMap(({ scopes }) => scopes))];
    const missing = new Set((await this.#options.graph.findMissingScopes(caller, all)) ?? all);
    return tools.filter(({ scopes }) => !scopes.some((scope) => missing.has(scope))).map(({ name }) => this.#definitions.get(name) as Tool);
  }

  /** Calls an existing tool. Every error is part of the result. */
  async call(name: string, input: unknown, caller: ToolCaller): Promise<CallToolResult> {
    const tool = this.#byName.get(name) as ToolDocument;
    const startedAt = performance.now();
    let outcome: ToolOutcome = 'INTERNAL_SERVER_ERROR';
    try {
      const finished = await this.#call(tool, input ?? {}, caller);
      outcome = finished.outcome;
      return finished.result;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      outcome = error.code;
      const body = { code: error.code, message: error.message, retry: error.retry };
      return createErrorResult([this.#isPlanned(tool) ? toConfirmationTerms(body) : body]);
    } finally {
      this.#options.onCall(name, caller, outcome, Math.round(performance.now() - startedAt));
    }
  }

  #isPlanned(tool: ToolDocument): tool is WriteTool {
    return tool.isWrite && tool.plan !== null && this.#options.writes === 'confirm';
  }

  #createResultSchema(tool: ToolDocument): JsonSchema {
    const isPlanned = this.#isPlanned(tool);
    return createOutputSchema(tool, { isPlanned, toEnumValue: isPlanned ? toConfirmationAdvice : (value) => value });
  }

  #describe(tool: ToolDocument): Tool {
    const isPlanned = this.#isPlanned(tool);
    const args = isPlanned ? tool.args.filter(({ name }) => !GUARDS.has(name)) : tool.args;
    const required = args.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    return {
      name: tool.name,
      title: tool.title,
      description: isPlanned ? `${tool.description} ${HOW_TO_CONFIRM}` : tool.description,
      inputSchema: {
        type: 'object',
        properties: {
          ...Object.fromEntries(args.map(({ name, schema }) => [name, schema])),
          ...(isPlanned && { [CONFIRMATION]: CONFIRMATION_SCHEMA }),
        },
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      },
      outputSchema: outlineSchema(this.getResultSchema(tool.name)) as NonNullable<Tool['outputSchema']>,
      annotations: { ...tool.annotations },
    };
  }

  async #call(tool: ToolDocument, input: unknown, caller: ToolCaller): Promise<FinishedCall> {
    const missing = await this.#options.graph.findMissingScopes(caller, tool.scopes);
    if (missing === null) {
      const message = `The graph can’t read the API key’s scopes, which tools require. Use a key that has the scope me:read and those of the tool by name: ${tool.scopes.join(', ')}.`;
      return createFailure([{ code: 'FORBIDDEN', message, reason: 'UNDETERMINED', requiredScopes: tool.scopes, missingScopes: [] }]);
    }
    if (missing.length > 0) {
      const { code, message, reason, requiredScopes, missingScopes } = new ForbiddenError('MISSING_SCOPE', tool.scopes, missing);
      return createFailure([{ code, message, reason, requiredScopes, missingScopes }]);
    }
    // Checked first, because the other checks are recursive.
    const problem = findProblem(input);
    if (problem) {
      const argument = problem.path.reduce(joinPath, '');
      return createFailure([
        { code: 'BAD_USER_INPUT', ...(argument !== '' && { argument }), message: `${nameArgument(argument)} ${problem.message}.` },
      ]);
    }
    const schemaProblems = [...findArgumentProblems(input, this.#definitions.get(tool.name)?.inputSchema ?? {}).take(MAX_PROBLEMS)];
    const problems = schemaProblems.length > 0 ? schemaProblems : findIdProblems(input as JsonObject, tool.args);
    if (problems.length > 0)
      return createFailure(problems.slice(0, MAX_PROBLEMS).map((each) => ({ code: 'BAD_USER_INPUT', ...each, retry: 'NEVER' })));
    const { [CONFIRMATION]: confirmation, ...args } = omitNulls(input as JsonObject);
    if (!this.#isPlanned(tool)) return this.#execute(tool, args, caller);
    if (typeof confirmation !== 'string') {
      const plan = await this.#plans.create(tool, args, caller);
      if (plan.kind !== 'plan') return this.#reject(tool, plan);
      return { outcome: 'PLANNED', result: createResult(plan.body, this.#options.maxResultBytes) };
    }
    const confirmed = await this.#plans.confirm(tool, args, confirmation, caller);
    return confirmed.kind === 'confirmed' ? this.#execute(tool, confirmed.variables, caller) : this.#reject(tool, confirmed);
  }

  async #execute(tool: ToolDocument, variables: JsonObject, caller: ToolCaller): Promise<FinishedCall> {
    const { document, operationName } = tool;
    const result = await this.#options.graph.execute({ document, operationName, variables, caller });
    return this.#finish(tool, result);
  }

  #reject(tool: ToolDocument, rejection: Rejection): FinishedCall {
    if (rejection.kind === 'result') return this.#finish(tool, rejection.result, rejection.more);
    const { errors, more } = rejection;
    const body = { errors, ...more };
    return { outcome: errors[0]?.code ?? 'REFUSED', result: createResult(body, this.#options.maxResultBytes, true) };
  }

  /** The result of an execution. */
  #finish(tool: ToolDocument, { data, errors = [] }: ExecutionResult, more: ResultBody = {}): FinishedCall {
    const values = Object.values(data ?? {});
    const failure = values.find((value): value is JsonObject => isJsonObject(value) && this.#isFailure(value.__typename));
    const isEmpty = errors.length > 0 && values.every((value) => value === null);
    const codes = [failure?.code, isEmpty && errors[0]?.extensions.code].filter((code) => typeof code === 'string');
    const toBody = this.#isPlanned(tool) ? toConfirmationTerms : (error: JsonObject) => error;
    const filteredData = data && applyKeepDirectives(tool.fields, data);
    const body = {
      ...more,
      ...(filteredData && {
        data: failure
          ? Object.fromEntries(Object.entries(filteredData).map(([key, value]) => [key, toBody(value as JsonObject)]))
          : filteredData,
      }),
      ...(errors.length > 0 && { errors: errors.map((error) => toBody(toErrorBody(error.toJSON()))) }),
    };
    const isError = failure !== undefined || isEmpty;
    const { maxResultBytes } = this.#options;
    return {
      outcome: isError ? (codes[0] ?? 'REFUSED') : 'ANSWERED',
      result: tool.isWrite && !isError ? createWriteResult(body, maxResultBytes) : createResult(body, maxResultBytes, isError),
    };
  }

  /** Whether a member of a union is an error: their names end in `Error`. */
  #isFailure(typename: unknown): boolean {
    const type = typeof typename === 'string' ? this.#options.graph.schema.getType(typename) : undefined;
    return isObjectType(type) && type.name.endsWith('Error');
  }
}
