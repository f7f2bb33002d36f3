import { type DocumentNode, type ExecutionResult, getOperationAST, Kind, type OperationDefinitionNode, visit } from 'graphql';
import type { LedgerState } from '../ledger/entry.ts';
import { isJsonObject } from '../lib/json.ts';
import { withGlobalIds } from './argumentIds.ts';
import type { Confirmations, Planned } from './confirmations.ts';
import type { Caller, InProcess } from './inProcess.ts';
import { planText } from './planText.ts';
import type { ResultBody } from './results.ts';
import { collectedFrom, collectedVariables, type UnmetRequirement, unmetRequirements } from './toolDirectives.ts';
import type { PlanDocument, ToolDocument } from './toolDocuments.ts';

type Values = Readonly<Record<string, unknown>>;

/** A tool that writes, with its plan. */
export type WriteTool = ToolDocument & { readonly plan: PlanDocument };

/** A call that ended without an effect. */
export type Refusal =
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
  readonly variables: Values;
}

/** The records that a write affects, or why they can't be read. */
type Read = { readonly records: Values; readonly variables: Values } | Refusal;

const KEY_OF =
  'query KeyOf($operation: String!, $idempotencyKey: String!) { key: idempotentOperation(operation: $operation, idempotencyKey: $idempotencyKey) { state } }';

const MAY_BE_DONE =
  'The write was sent before, but the upstream didn’t respond. The records have changed since, possibly by that write, so it wasn’t sent again.';

const NEW_PLAN = '`plan` contains their current state. Call the tool without `confirmation` to get a new plan.';

/** The largest number of unmet requirements that a result lists. Chosen: a person fixes them one by one. */
const MAX_UNMET = 10;

const hasVersion = ({ args }: ToolDocument): boolean => args.some(({ name }) => name === 'expectedVersion');

/** The version of the first record of a plan. */
function versionIn(records: Values): string | null {
  const [first] = Object.values(records);
  return isJsonObject(first) && typeof first.version === 'string' ? first.version : null;
}

/** The variables of a write: the arguments, the idempotency key, and the planned version if the write has one. */
const withGuards = (tool: ToolDocument, args: Values, idempotencyKey: string, version: string | null): Values => ({
  ...args,
  idempotencyKey,
  ...(hasVersion(tool) && { expectedVersion: version }),
});

const plannedOf = ({ name: tool }: ToolDocument, args: Values, { apiKey }: Caller): Planned => ({ tool, args, apiKey });

/** The name of the only field of an operation. */
function rootFieldOf(document: DocumentNode, operationName: string): string {
  const [field] = getOperationAST(document, operationName)?.selectionSet.selections ?? [];
  return field?.kind === Kind.FIELD ? field.name.value : '';
}

const variablesIn = (node: Parameters<typeof visit>[0]): string[] => {
  const names: string[] = [];
  visit(node, { VariableDefinition: () => false, Variable: ({ name }) => void names.push(name.value) });
  return names;
};

/** A query without the root fields that use a variable without a value: a plan doesn't look up what an omitted argument would name. */
function withoutFields(document: DocumentNode, missing: ReadonlySet<string>): DocumentNode {
  const pruned = (operation: OperationDefinitionNode): OperationDefinitionNode => ({
    ...operation,
    variableDefinitions: operation.variableDefinitions?.filter(({ variable }) => !missing.has(variable.name.value)) ?? [],
    selectionSet: {
      ...operation.selectionSet,
      selections: operation.selectionSet.selections.filter((node) => !variablesIn(node).some((name) => missing.has(name))),
    },
  });
  const definitions = document.definitions.map((each) => (each.kind === Kind.OPERATION_DEFINITION ? pruned(each) : each));
  return { ...document, definitions };
}

function unmetError({ message, path, comparedWith: [argument] }: UnmetRequirement) {
  const code = argument === undefined ? 'TRANSITION_BLOCKED' : 'BAD_USER_INPUT';
  return { code, message, path, ...(argument !== undefined && { argument }), retry: 'NEVER' };
}

export interface PlansOptions {
  readonly graph: InProcess;
  readonly confirmations: Confirmations;
}

/** Plans writes, and checks confirmations of plans. */
export class Plans {
  readonly #options: PlansOptions;
  /** Documents by the variables that have no value, so that each is analyzed once. */
  readonly #pruned = new Map<string, DocumentNode>();

  constructor(options: PlansOptions) {
    this.#options = options;
  }

  /** The first call of a write: reads the records, checks that the write can succeed, and returns the plan. */
  async create(tool: WriteTool, args: Values, caller: Caller): Promise<PlanOffer | Refusal> {
    const { graph, confirmations } = this.#options;
    const read = await this.#read(tool, args, caller);
    if ('kind' in read) return read;
    const { records } = read;
    const shown = this.#describe(tool, args, read);
    const unmet = [...unmetRequirements(tool.plan.fields, records, withGlobalIds(args, tool.args))];
    if (unmet.length > 0) return { kind: 'errors', errors: unmet.slice(0, MAX_UNMET).map(unmetError), more: shown };
    const version = versionIn(records);
    const variables = withGuards(tool, args, 'rehearsal', version);
    const refusal = await graph.rehearse({ document: tool.document, operationName: tool.operationName, variables, caller });
    if (refusal) return { kind: 'result', result: refusal, more: shown };
    const { confirmation, expiresAt } = confirmations.make(plannedOf(tool, args, caller), records, version);
    const next = `Nothing has been executed yet. To execute the plan, call ${tool.name} again with the same arguments and this confirmation.`;
    const body = {
      ...shown,
      arguments: args,
      ...(version !== null && { version }),
      confirmation,
      expiresAt: expiresAt.toISOString(),
      next,
    };
    return { kind: 'plan', body };
  }

  /** The second call of a write: confirmed if the records are as planned, or if the write was executed before. */
  async confirm(tool: WriteTool, args: Values, token: string, caller: Caller): Promise<ConfirmedWrite | Refusal> {
    const confirmed = this.#options.confirmations.read(token, plannedOf(tool, args, caller));
    if ('problem' in confirmed) return { kind: 'errors', errors: [{ code: 'CONFIRMATION_REFUSED', message: confirmed.problem }] };
    const read = await this.#read(tool, args, caller);
    const isSame = 'records' in read && confirmed.isOf(read.records);
    const state = isSame ? null : await this.#stateOf(tool, confirmed.idempotencyKey, caller);
    // Without a key or a version that the upstream compares, a repeat would act on the changed records.
    const mayBeDone = state === 'UNKNOWN' && tool.isSentUnkeyed && !hasVersion(tool);
    if (!isSame && (state === null || state === 'FAILED' || mayBeDone)) {
      if ('kind' in read) return read;
      return this.#changed(tool, args, read, mayBeDone);
    }
    return { kind: 'confirmed', variables: withGuards(tool, args, confirmed.idempotencyKey, confirmed.version) };
  }

  #changed(tool: WriteTool, args: Values, read: Exclude<Read, Refusal>, mayBeDone: boolean): Refusal {
    const code = mayBeDone ? 'OUTCOME_UNKNOWN' : 'PLAN_CHANGED';
    const message = mayBeDone ? MAY_BE_DONE : 'The records have changed since the plan was created. Nothing was executed.';
    const error = { code, message: `${message} ${NEW_PLAN}`, ...(mayBeDone && { retry: 'CHECK_FIRST' }) };
    return { kind: 'errors', errors: [error], more: this.#describe(tool, args, read) };
  }

  /** The plan as text for a person, and the records that it is about. */
  #describe({ title, operation: mutation, plan, args: known }: WriteTool, args: Values, { records, variables }: Exclude<Read, Refusal>) {
    const { operation: query, fields } = plan;
    const parts = { title, mutation, args: withGlobalIds(args, known), query, variables, fields, records };
    return { plan: planText({ schema: this.#options.graph.schema, ...parts }), records };
  }

  /** Reads the records that a write affects, without the response cache. */
  async #read({ name, plan, args: known }: WriteTool, args: Values, caller: Caller): Promise<Read> {
    const given = { ...withGlobalIds(args, known), ...collectedVariables(plan.source, withGlobalIds(args, known)) };
    const declared = (plan.operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
    const missing = declared.filter((variable) => !(variable in given));
    const variables = Object.fromEntries(Object.entries(given).filter(([variable]) => declared.includes(variable)));
    const document = this.#documentFor(name, plan, missing);
    const { operationName } = plan;
    const result = await this.#options.graph.execute({ document, operationName, variables, caller, readsAnew: true });
    if (result.errors || !result.data) return { kind: 'result', result: { data: null, errors: result.errors ?? [] } };
    const absent = absentIn(plan, result.data);
    if (absent.length > 0) return { kind: 'errors', errors: absent.map(notFound) };
    return { records: result.data, variables };
  }

  #documentFor(name: string, { document }: PlanDocument, missing: readonly string[]): DocumentNode {
    if (missing.length === 0) return document;
    const key = `${name} ${missing.join(' ')}`;
    const pruned = this.#pruned.get(key) ?? withoutFields(document, new Set(missing));
    this.#pruned.set(key, pruned);
    return pruned;
  }

  /** State of the write in the ledger. Null if it isn't there. If it was executed or is in progress, the ledger handles a repeat, whatever the records are now. */
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

/** The root fields of a plan whose record is missing, with the argument that names it. */
function absentIn({ operation, source }: PlanDocument, data: Values): readonly { readonly field: string; readonly argument: string }[] {
  const collected = collectedFrom(source);
  return operation.selectionSet.selections.flatMap((node) => {
    if (node.kind !== Kind.FIELD) return [];
    const field = (node.alias ?? node.name).value;
    const value = data[field];
    const isAbsent = value === null || (Array.isArray(value) && value.includes(null));
    const variable = variablesIn(node)[0] ?? field;
    return isAbsent ? [{ field, argument: collected.get(variable) ?? variable }] : [];
  });
}

function notFound({ field, argument }: { readonly field: string; readonly argument: string }) {
  const message = `Not found: ${field}. \`${argument}\` must be the ID of an existing record that the API key can access. Get it from another tool.`;
  return { code: 'NOT_FOUND', message, path: field, argument, retry: 'NEVER' };
}
