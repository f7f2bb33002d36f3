import { type DocumentNode, type ExecutionResult, getOperationAST, Kind, type OperationDefinitionNode, visit } from 'graphql';
import type { LedgerState } from '../ledger/entry.ts';
import { BoundedCache } from '../lib/boundedCache.ts';
import type { JsonObject } from '../lib/json.ts';
import { isJsonObject } from '../lib/json.ts';
import { convertToGlobalIds } from './argumentIds.ts';
import type { Confirmations, PlannedWrite } from './confirmations.ts';
import type { InProcessExecutor, ToolCaller } from './inProcess.ts';
import { formatPlan } from './planText.ts';
import type { ResultBody } from './results.ts';
import { collectVariables, findUnmetRequirements, mapCollectedVariables, type UnmetRequirement } from './toolDirectives.ts';
import type { PlanDocument, ToolDocument } from './toolDocuments.ts';

/** A tool that writes and has a plan. */
export type WriteTool = ToolDocument & { readonly plan: PlanDocument };

/** A call that ended without an effect. */
export type Rejection =
  | { readonly kind: 'errors'; readonly errors: readonly (ResultBody & { readonly code: string })[]; readonly more?: ResultBody }
  | { readonly kind: 'result'; readonly result: ExecutionResult; readonly more?: ResultBody };

/** A plan that can be confirmed. */
interface PlanOffer {
  readonly kind: 'plan';
  readonly body: ResultBody;
}

/** A confirmed write, with the variables to execute it with. */
interface ConfirmedWrite {
  readonly kind: 'confirmed';
  readonly variables: JsonObject;
}

/** The records that a write affects, or why they can't be read. */
type Read = { readonly records: JsonObject; readonly variables: JsonObject } | Rejection;

const KEY_STATE_QUERY =
  'query KeyOf($operation: String!, $idempotencyKey: String!) { key: idempotentOperation(operation: $operation, idempotencyKey: $idempotencyKey) { state } }';

const POSSIBLY_EXECUTED_MESSAGE =
  'The write was sent before, but the upstream didn’t respond. The records have changed since, possibly by that write, so it wasn’t sent again.';

const NEW_PLAN_MESSAGE = '`plan` contains their current state. Call the tool without `confirmation` to get a new plan.';

/** Maximum number of unmet requirements in a result. Chosen: a person fixes them one by one. */
const MAX_UNMET = 10;

const hasVersion = ({ args }: ToolDocument): boolean => args.some(({ name }) => name === 'expectedVersion');

/** The version of the first record of a plan. */
function getFirstVersion(records: JsonObject): string | null {
  const [first] = Object.values(records);
  return isJsonObject(first) && typeof first.version === 'string' ? first.version : null;
}

/** The variables of a write: the arguments, the idempotency key, and the planned version if the write has one. */
const addGuards = (tool: ToolDocument, args: JsonObject, idempotencyKey: string, version: string | null): JsonObject => ({
  ...args,
  idempotencyKey,
  ...(hasVersion(tool) && { expectedVersion: version }),
});

const toPlannedWrite = ({ name: tool }: ToolDocument, args: JsonObject, { credential: { callerId } }: ToolCaller): PlannedWrite => ({
  tool,
  args,
  callerId,
});

/** The name of the only field of an operation. */
function getRootField(document: DocumentNode, operationName: string): string {
  const [field] = getOperationAST(document, operationName)?.selectionSet.selections ?? [];
  return field?.kind === Kind.FIELD ? field.name.value : '';
}

const listVariables = (node: Parameters<typeof visit>[0]): string[] => {
  const names: string[] = [];
  visit(node, { VariableDefinition: () => false, Variable: ({ name }) => void names.push(name.value) });
  return names;
};

/** Omits the root fields that use a variable without a value, because a plan doesn't look up records of omitted arguments. */
function omitFields(document: DocumentNode, missing: ReadonlySet<string>): DocumentNode {
  const pruneOperation = (operation: OperationDefinitionNode): OperationDefinitionNode => ({
    ...operation,
    variableDefinitions: operation.variableDefinitions?.filter(({ variable }) => !missing.has(variable.name.value)) ?? [],
    selectionSet: {
      ...operation.selectionSet,
      selections: operation.selectionSet.selections.filter((node) => !listVariables(node).some((name) => missing.has(name))),
    },
  });
  const definitions = document.definitions.map((each) => (each.kind === Kind.OPERATION_DEFINITION ? pruneOperation(each) : each));
  return { ...document, definitions };
}

function toUnmetError({ message, path, comparedWith: [argument] }: UnmetRequirement) {
  const code = argument === undefined ? 'TRANSITION_BLOCKED' : 'BAD_USER_INPUT';
  return { code, message, path, ...(argument !== undefined && { argument }), retry: 'NEVER' };
}

/** Maximum number of pruned documents that are cached. Chosen: agents omit the same few arguments. There is one for each combination that a client omits. */
const MAX_PRUNED = 256;

export interface PlansOptions {
  readonly graph: InProcessExecutor;
  readonly confirmations: Confirmations;
}

/** Plans writes, and checks confirmations of plans. */
export class ChangePlans {
  readonly #options: PlansOptions;
  /** Pruned documents by tool and missing variables. */
  readonly #pruned = new BoundedCache<DocumentNode>({ entries: MAX_PRUNED });

  constructor(options: PlansOptions) {
    this.#options = options;
  }

  /** The first call of a write: reads the records, checks that the write can succeed, and returns the plan. */
  async create(tool: WriteTool, args: JsonObject, caller: ToolCaller): Promise<PlanOffer | Rejection> {
    const { graph, confirmations } = this.#options;
    const read = await this.#read(tool, args, caller);
    if ('kind' in read) return read;
    const { records } = read;
    const description = this.#describe(tool, args, read);
    const unmet = [...findUnmetRequirements(tool.plan.fields, records, convertToGlobalIds(args, tool.args))];
    if (unmet.length > 0) return { kind: 'errors', errors: unmet.slice(0, MAX_UNMET).map(toUnmetError), more: description };
    const version = getFirstVersion(records);
    const variables = addGuards(tool, args, 'rehearsal', version);
    const refusal = await graph.rehearse({ document: tool.document, operationName: tool.operationName, variables, caller });
    if (refusal) return { kind: 'result', result: refusal, more: description };
    const { confirmation, expiresAt } = confirmations.create(toPlannedWrite(tool, args, caller), records, version);
    const next = `Nothing has been executed yet. To execute the plan, call ${tool.name} again with the same arguments and this confirmation.`;
    const body = {
      ...description,
      arguments: args,
      ...(version !== null && { version }),
      confirmation,
      expiresAt: expiresAt.toISOString(),
      next,
    };
    return { kind: 'plan', body };
  }

  /** The second call of a write: confirmed if the records are as planned, or if the write was executed before. */
  async confirm(tool: WriteTool, args: JsonObject, token: string, caller: ToolCaller): Promise<ConfirmedWrite | Rejection> {
    const confirmed = this.#options.confirmations.read(token, toPlannedWrite(tool, args, caller));
    if ('problem' in confirmed) return { kind: 'errors', errors: [{ code: 'CONFIRMATION_REFUSED', message: confirmed.problem }] };
    const read = await this.#read(tool, args, caller);
    const isSame = 'records' in read && confirmed.matchesRecords(read.records);
    const state = isSame ? null : await this.#fetchState(tool, confirmed.idempotencyKey, caller);
    // Without a key or a version that the upstream compares, a repeat would act on the changed records.
    const mayBeExecuted = state === 'UNKNOWN' && tool.hasNoUpstreamKey && !hasVersion(tool);
    if (!isSame && (state === null || state === 'FAILED' || mayBeExecuted)) {
      if ('kind' in read) return read;
      return this.#rejectChanged(tool, args, read, mayBeExecuted);
    }
    return { kind: 'confirmed', variables: addGuards(tool, args, confirmed.idempotencyKey, confirmed.version) };
  }

  #rejectChanged(tool: WriteTool, args: JsonObject, read: Exclude<Read, Rejection>, mayBeExecuted: boolean): Rejection {
    const code = mayBeExecuted ? 'OUTCOME_UNKNOWN' : 'PLAN_CHANGED';
    const message = mayBeExecuted
      ? POSSIBLY_EXECUTED_MESSAGE
      : 'The records have changed since the plan was created. Nothing was executed.';
    const error = { code, message: `${message} ${NEW_PLAN_MESSAGE}`, ...(mayBeExecuted && { retry: 'CHECK_FIRST' }) };
    return { kind: 'errors', errors: [error], more: this.#describe(tool, args, read) };
  }

  /** The plan as text for a person, with its records. */
  #describe(
    { title, operation: mutation, plan, args: known }: WriteTool,
    args: JsonObject,
    { records, variables }: Exclude<Read, Rejection>,
  ) {
    const { operation: query, fields } = plan;
    const parts = { title, mutation, args: convertToGlobalIds(args, known), query, variables, fields, records };
    return { plan: formatPlan({ schema: this.#options.graph.schema, ...parts }), records };
  }

  /** Reads the records that a write affects, bypassing the read cache. */
  async #read({ name, plan, args: known }: WriteTool, args: JsonObject, caller: ToolCaller): Promise<Read> {
    const values = { ...convertToGlobalIds(args, known), ...collectVariables(plan.source, convertToGlobalIds(args, known)) };
    const declared = (plan.operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
    const missing = declared.filter((variable) => !(variable in values));
    const variables = Object.fromEntries(Object.entries(values).filter(([variable]) => declared.includes(variable)));
    const document = this.#pruneDocument(name, plan, missing);
    const { operationName } = plan;
    const result = await this.#options.graph.execute({ document, operationName, variables, caller, bypassesReadCache: true });
    if (result.errors || !result.data) return { kind: 'result', result: { data: null, errors: result.errors ?? [] } };
    const absent = findMissingRecords(plan, result.data);
    if (absent.length > 0) return { kind: 'errors', errors: absent.map(toNotFoundError) };
    return { records: result.data, variables };
  }

  #pruneDocument(name: string, { document }: PlanDocument, missing: readonly string[]): DocumentNode {
    if (missing.length === 0) return document;
    const key = `${name} ${missing.join(' ')}`;
    const pruned = this.#pruned.get(key) ?? omitFields(document, new Set(missing));
    this.#pruned.set(key, pruned);
    return pruned;
  }

  /** State of the write in the ledger. Null if it isn't there. If it was executed or is in progress, the ledger handles a repeat, whatever the records are now. */
  async #fetchState({ document, operationName }: ToolDocument, idempotencyKey: string, caller: ToolCaller): Promise<LedgerState | null> {
    const { graph } = this.#options;
    const operation = getRootField(document, operationName);
    const variables = { operation, idempotencyKey };
    const { data } = await graph.execute({ document: this.#parseKeyStateQuery(), operationName: 'KeyOf', variables, caller });
    return (data?.key as { readonly state: LedgerState } | null | undefined)?.state ?? null;
  }

  #parseKeyStateQuery() {
    const checked = this.#options.graph.parseAndValidate(KEY_STATE_QUERY);
    if ('definitions' in checked) return checked;
    throw new Error(`The idempotency key query is not valid for the schema: ${checked.join(' ')}`);
  }
}

/** The root fields of a plan whose record doesn't exist, with the argument that refers to it. */
function findMissingRecords(
  { operation, source }: PlanDocument,
  data: JsonObject,
): readonly { readonly field: string; readonly argument: string }[] {
  const collected = mapCollectedVariables(source);
  return operation.selectionSet.selections.flatMap((node) => {
    if (node.kind !== Kind.FIELD) return [];
    const field = (node.alias ?? node.name).value;
    const value = data[field];
    const isAbsent = value === null || (Array.isArray(value) && value.includes(null));
    const variable = listVariables(node)[0] ?? field;
    return isAbsent ? [{ field, argument: collected.get(variable) ?? variable }] : [];
  });
}

function toNotFoundError({ field, argument }: { readonly field: string; readonly argument: string }) {
  const message = `Not found: ${field}. \`${argument}\` must be the ID of an existing record that the API key can access. Get it from another tool.`;
  return { code: 'NOT_FOUND', message, path: field, argument, retry: 'NEVER' };
}
