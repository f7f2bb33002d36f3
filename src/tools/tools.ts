import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { type DocumentNode, type ExecutionResult, getOperationAST, isObjectType, Kind } from 'graphql';
import { ApiError, ForbiddenError } from '../failures.ts';
import type { LedgerState } from '../ledger/entry.ts';
import { problemOf } from '../schema/kit/jsonValues.ts';
import { ownNameOf } from '../schema/kit/typeNames.ts';
import { answered, answeredDone, failed, type Told, toldError } from './answers.ts';
import type { Confirmations, Planned } from './confirmations.ts';
import type { Caller, InProcess } from './inProcess.ts';
import { CONFIRMATION, GUARDS, type ToolDocument } from './toolDocuments.ts';
import type { Writes } from './writes.ts';

type Values = Readonly<Record<string, unknown>>;

/** The end of a call, in a word for the log: an answer, a plan, or the code of a failure. */
type Outcome = string;

interface Ended {
  readonly outcome: Outcome;
  readonly result: CallToolResult;
}

/** The records that a change is about, or why they are not shown. */
type Shown = { readonly seen: Values } | { readonly refusal: ExecutionResult };

export interface ToolsOptions {
  readonly graph: InProcess;
  readonly documents: readonly ToolDocument[];
  readonly writes: Writes;
  readonly confirmations: Confirmations;
  /** Bytes of an answer, as a string of the envelope. */
  readonly maxResultBytes: number;
  /** Told of the end of each call. */
  readonly onCall: (tool: string, caller: Caller, outcome: Outcome, ms: number) => void;
}

const HOW_TO_CONFIRM =
  'The first call returns a plan and changes nothing. To execute the plan, repeat the call with its `confirmation`; repeating that call has no further effect. Show the plan to a person before you confirm it.';

const CONFIRMATION_SCHEMA = {
  type: 'string',
  description: 'The `confirmation` of a plan that an earlier call with the same arguments returned. If omitted, the tool returns a plan.',
};

const failedBy = (code: string, message: string, details: Told = {}): Ended => ({ outcome: code, result: failed(code, message, details) });

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

const KEY_OF =
  'query KeyOf($operation: String!, $idempotencyKey: String!) { key: idempotentOperation(operation: $operation, idempotencyKey: $idempotencyKey) { state } }';

const MAY_BE_DONE =
  'The write was sent before, but the upstream didn’t respond. The records have changed since, possibly by that write, so it wasn’t sent again.';

const NEW_PLAN = '`plan` contains their current state. Call the tool without `confirmation` to get a new plan.';

/** Whether a repeat would make the change whatever the records are like by now: the upstream compares neither a key nor a version. */
const isUnguarded = ({ isSentUnkeyed, args }: ToolDocument): boolean =>
  isSentUnkeyed && !args.some(({ name }) => name === 'expectedVersion');

/** The version of the record that a plan shows first. */
function versionIn(seen: Values): string | null {
  const [first] = Object.values(seen);
  return isObject(first) && typeof first.version === 'string' ? first.version : null;
}

/** The variables of a change: the arguments, with its key and the version that was seen, where it takes one. */
function withGuards({ args: known }: ToolDocument, args: Values, idempotencyKey: string, version: string | null): Values {
  const takesVersion = known.some(({ name }) => name === 'expectedVersion');
  return { ...args, idempotencyKey, ...(takesVersion && { expectedVersion: version }) };
}

const plannedOf = ({ name: tool }: ToolDocument, args: Values, { apiKey }: Caller): Planned => ({ tool, args, apiKey });

/** Name of the field of an operation that has a single one. */
function rootFieldOf(document: DocumentNode, operationName: string): string {
  const [field] = getOperationAST(document, operationName)?.selectionSet.selections ?? [];
  return field?.kind === Kind.FIELD ? field.name.value : '';
}

/** The tools of the server: documents that are executed as if they came as requests of the caller. */
export class Tools {
  readonly #options: ToolsOptions;
  readonly #byName: ReadonlyMap<string, ToolDocument>;

  constructor(options: ToolsOptions) {
    this.#options = options;
    const shown = options.documents.filter(({ isChange }) => !isChange || options.writes !== 'none');
    this.#byName = new Map(shown.map((tool) => [tool.name, tool]));
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The tools that the caller's key has all scopes for, letter by letter. */
  async list(caller: Caller): Promise<Tool[]> {
    const tools = [...this.#byName.values()];
    const all = [...new Set(tools.flatMap(({ scopes }) => scopes))];
    const missing = new Set((await this.#options.graph.missingScopes(caller, all)) ?? all);
    return tools.filter(({ scopes }) => !scopes.some((scope) => missing.has(scope))).map((tool) => this.#told(tool));
  }

  /** Calls a tool that there is. All that is wrong with the call is told in its answer. */
  async call(name: string, given: unknown, caller: Caller): Promise<CallToolResult> {
    const tool = this.#byName.get(name) as ToolDocument;
    const startedAt = performance.now();
    let outcome: Outcome = 'INTERNAL_SERVER_ERROR';
    try {
      const ended = await this.#call(tool, given ?? {}, caller);
      outcome = ended.outcome;
      return ended.result;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      outcome = error.code;
      return failed(error.code, error.message, { retry: error.retry });
    } finally {
      this.#options.onCall(name, caller, outcome, Math.round(performance.now() - startedAt));
    }
  }

  #isPlanned({ isChange }: ToolDocument): boolean {
    return isChange && this.#options.writes === 'confirm';
  }

  /** The arguments that a caller may give. */
  #argsOf(tool: ToolDocument) {
    return this.#isPlanned(tool) ? tool.args.filter(({ name }) => !GUARDS.has(name)) : tool.args;
  }

  #told(tool: ToolDocument): Tool {
    const args = this.#argsOf(tool);
    const isPlanned = this.#isPlanned(tool);
    const required = args.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    return {
      name: tool.name,
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
      annotations: { ...tool.annotations },
    };
  }

  async #call(tool: ToolDocument, given: unknown, caller: Caller): Promise<Ended> {
    const missing = await this.#options.graph.missingScopes(caller, tool.scopes);
    if (missing === null) {
      const message = `The graph can’t read the API key’s scopes, which tools require. Use a key that has the scope me:read and those of the tool by name: ${tool.scopes.join(', ')}.`;
      return failedBy('FORBIDDEN', message, { reason: 'UNDETERMINED', requiredScopes: tool.scopes, missingScopes: [] });
    }
    if (missing.length > 0) {
      const { code, message, reason, requiredScopes, missingScopes } = new ForbiddenError('MISSING_SCOPE', tool.scopes, missing);
      return failedBy(code, message, { reason, requiredScopes, missingScopes });
    }
    if (!isObject(given)) return failedBy('BAD_USER_INPUT', 'The arguments must be an object.');
    // Before a confirmation is compared with them: that goes down every level.
    const problem = problemOf(given);
    if (problem) return failedBy('BAD_USER_INPUT', `The arguments ${problem}.`);
    const names = [...this.#argsOf(tool).map(({ name }) => name), ...(this.#isPlanned(tool) ? [CONFIRMATION] : [])];
    const unknown = Object.keys(given).find((name) => !names.includes(name));
    if (unknown !== undefined)
      return failedBy('BAD_USER_INPUT', `Unknown argument. This tool accepts: ${names.join(', ') || 'no arguments'}.`);
    if (!this.#isPlanned(tool)) return this.#execute(tool, given, caller);
    const { [CONFIRMATION]: confirmation, ...args } = given;
    if (confirmation === undefined || confirmation === null) return this.#plan(tool, args, caller);
    return this.#confirm(tool, args, confirmation, caller);
  }

  async #execute({ document, operationName, isChange }: ToolDocument, variables: Values, caller: Caller): Promise<Ended> {
    const result = await this.#options.graph.execute({ document, operationName, variables, caller });
    return this.#ended(result, {}, isChange);
  }

  /** The answer of an execution, as the tool's. */
  #ended({ data, errors = [] }: ExecutionResult, more: Told = {}, isChange = false): Ended {
    const values = Object.values(data ?? {});
    const refusal = values.find((value) => isObject(value) && this.#isFailure(value.__typename));
    const isEmpty = errors.length > 0 && values.every((value) => value === null);
    const codes = [isObject(refusal) && refusal.code, isEmpty && errors[0]?.extensions.code].filter((code) => typeof code === 'string');
    const told = { ...more, ...(data && { data }), ...(errors.length > 0 && { errors: errors.map((error) => toldError(error.toJSON())) }) };
    const isError = refusal !== undefined || isEmpty;
    const { maxResultBytes } = this.#options;
    return {
      outcome: isError ? (codes[0] ?? 'REFUSED') : 'ANSWERED',
      result: isChange && !isError ? answeredDone(told, maxResultBytes) : answered(told, maxResultBytes, isError),
    };
  }

  /** Whether a member of a union says that nothing was done, or answered: failures are called so. */
  #isFailure(typename: unknown): boolean {
    const type = typeof typename === 'string' ? this.#options.graph.schema.getType(typename) : undefined;
    return isObjectType(type) && ownNameOf(type).endsWith('Error');
  }

  /** Reads the records that a change is about. Refused where one of them is not there, or not to be seen. */
  async #show({ name, plan }: ToolDocument, args: Values, caller: Caller): Promise<Shown> {
    if (!plan) throw new Error(`The tool ${name} has no plan.`);
    const { document, operationName } = plan;
    const variables = Object.fromEntries(Object.entries(args).filter(([name]) => plan.variables.has(name)));
    const result = await this.#options.graph.execute({ document, operationName, variables, caller, readsAnew: true });
    const isWhole = !result.errors && result.data && Object.values(result.data).every((value) => value !== null);
    return isWhole ? { seen: result.data as Values } : { refusal: result };
  }

  /** The first call: reads, checks, and what would be done. */
  async #plan(tool: ToolDocument, args: Values, caller: Caller): Promise<Ended> {
    const { graph, confirmations, maxResultBytes } = this.#options;
    const shown = await this.#show(tool, args, caller);
    if ('refusal' in shown) return this.#notShown(shown.refusal);
    const { seen } = shown;
    const version = versionIn(seen);
    const variables = withGuards(tool, args, 'rehearsal', version);
    const refusal = await graph.rehearse({ document: tool.document, operationName: tool.operationName, variables, caller });
    if (refusal) return this.#ended(refusal, { plan: seen });
    const { confirmation, expiresAt } = confirmations.make(plannedOf(tool, args, caller), seen, version);
    const told = {
      plan: seen,
      arguments: args,
      ...(version !== null && { version }),
      confirmation,
      expiresAt,
      next: `Nothing has been executed yet. To execute the plan, call ${tool.name} again with the same arguments and this confirmation.`,
    };
    return { outcome: 'PLANNED', result: answered(told, maxResultBytes) };
  }

  #notShown({ data, errors = [] }: ExecutionResult): Ended {
    if (errors.length > 0) return this.#ended({ data: null, errors });
    const missing = Object.entries(data ?? {}).flatMap(([name, value]) => (value === null ? [name] : []));
    return failedBy('NOT_FOUND', `Not found: ${missing.join(', ')}. Get valid IDs from another tool.`);
  }

  /** The second call: does what was planned, if the records are still as they were shown, or if it was done already. */
  async #confirm(tool: ToolDocument, args: Values, token: unknown, caller: Caller): Promise<Ended> {
    const read = this.#options.confirmations.read(String(token), plannedOf(tool, args, caller));
    if ('problem' in read) return failedBy('CONFIRMATION_REFUSED', read.problem);
    const shown = await this.#show(tool, args, caller);
    const isSame = 'seen' in shown && read.isOf(shown.seen);
    const state = isSame ? null : await this.#stateOf(tool, read.idempotencyKey, caller);
    const mayBeDone = state === 'UNKNOWN' && isUnguarded(tool);
    if (!isSame && (state === null || state === 'FAILED' || mayBeDone)) {
      if ('refusal' in shown) return this.#notShown(shown.refusal);
      return this.#changed(shown.seen, mayBeDone);
    }
    return this.#execute(tool, withGuards(tool, args, read.idempotencyKey, read.version), caller);
  }

  /** The refusal of a plan whose records are not as it showed them. */
  #changed(plan: Values, mayBeDone: boolean): Ended {
    const code = mayBeDone ? 'OUTCOME_UNKNOWN' : 'PLAN_CHANGED';
    const message = mayBeDone ? MAY_BE_DONE : 'The records have changed since the plan was created. Nothing was executed.';
    const error = { code, message: `${message} ${NEW_PLAN}`, ...(mayBeDone && { retry: 'CHECK_FIRST' }), plan };
    return { outcome: code, result: answered({ errors: [error] }, this.#options.maxResultBytes, true) };
  }

  /** State of a change under this key in the ledger, null for none: where it was done, or runs, the ledger answers a repeat, whatever the records are like now. */
  async #stateOf({ document, operationName }: ToolDocument, idempotencyKey: string, caller: Caller): Promise<LedgerState | null> {
    const { graph } = this.#options;
    const operation = rootFieldOf(document, operationName);
    const variables = { operation, idempotencyKey };
    const { data } = await graph.execute({ document: this.#keyDocument(), operationName: 'KeyOf', variables, caller });
    return (data?.key as { readonly state: LedgerState } | null | undefined)?.state ?? null;
  }

  #keyDocument() {
    const checked = this.#options.graph.check(KEY_OF);
    if ('definitions' in checked) return checked;
    throw new Error(`The idempotency key query is not valid for the schema: ${checked.join(' ')}`);
  }
}
