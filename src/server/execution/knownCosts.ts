import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Cost, costOf, type RowsPerCall } from '../../schema/cost/cost.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Fields that name records by their arguments: each kind of record costs what it costs. */
const FIELDS_BY_REFERENCE = new Set(['node', 'nodes', '_entities']);

/** Costs that are kept of one operation: ours, since clients page in a few sizes. */
const MAX_KEPT = 64;
/** The longest text that tells costs apart, in characters. Ours: past it, to count is no slower than to look it up. */
const MAX_KEY = 200;

function variablesIn(node: ValueNode, add: (name: string) => void): void {
  visit(node, { Variable: ({ name }) => add(name.value) });
}

/** The variables whose texts and truths can change what a document costs; numbers, such as the sizes of pages, are looked at anyway. */
function countedVariables(document: DocumentNode): ReadonlySet<string> {
  const counted = new Set<string>();
  const add = (name: string) => counted.add(name);
  visit(document, {
    Directive: (node) => {
      for (const { value } of node.arguments ?? []) variablesIn(value, add);
    },
    Field: (node) => {
      if (!FIELDS_BY_REFERENCE.has(node.name.value)) return;
      for (const { value } of node.arguments ?? []) variablesIn(value, add);
    },
  });
  return counted;
}

/** Whether a value is sure to fit a type: any text is an ID, for one. Of others the value must be looked at. */
function isSureToFit(declared: TypeNode, value: unknown): boolean {
  const type = declared.kind === Kind.NON_NULL_TYPE ? declared.type : declared;
  if (type.kind !== Kind.NAMED_TYPE) return false;
  const { value: name } = type.name;
  return name === 'Boolean' ? typeof value === 'boolean' : (name === 'ID' || name === 'String') && typeof value === 'string';
}

/** An operation, with the costs that it has had. */
class KnownOperation {
  readonly #definitions: readonly VariableDefinitionNode[];
  readonly #counted: ReadonlySet<string>;
  readonly #costs = new BoundedCache<{ readonly cost: Cost | null }>({ entries: MAX_KEPT });

  constructor(document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode) {
    this.#definitions = variableDefinitions;
    this.#counted = countedVariables(document);
  }

  /** Key of a cost: the same for variables that cost the same. Null when it would be too long. */
  #keyOf(variables: Variables): string | null {
    let key = '';
    for (const { variable, type } of this.#definitions) {
      const name = variable.name.value;
      const value = variables[name];
      // A variable that is null where there must be a value takes its field out of the answer, and out of the cost.
      if (value === undefined) key += 'absent ';
      else if (value === null) key += 'null ';
      else if (!this.#counted.has(name) && isSureToFit(type, value)) key += 'given ';
      else if (typeof value === 'object') return null;
      else key += `${JSON.stringify(value)} `;
      if (key.length > MAX_KEY) return null;
    }
    return key;
  }

  cost(variables: Variables, count: () => Cost | null): Cost | null {
    const key = this.#keyOf(variables);
    if (key === null) return count();
    const known = this.#costs.get(key);
    if (known !== undefined) return known.cost;
    const cost = count();
    this.#costs.set(key, { cost });
    return cost;
  }
}

/** Counts costs, and keeps them for as long as the document is: most operations come again, with variables that cost the same. */
export class KnownCosts {
  readonly #limit: number;
  readonly #rowsPerCall: RowsPerCall | undefined;
  readonly #operations = new WeakMap<DocumentNode, Map<string | undefined, KnownOperation>>();

  constructor(limit: number, rowsPerCall?: RowsPerCall) {
    this.#limit = limit;
    this.#rowsPerCall = rowsPerCall;
  }

  /** As `costOf` counts it. */
  cost({ schema, document, operationName, variableValues }: ExecutionArgs): Cost | null {
    const variables = variableValues ?? {};
    const count = () => costOf(schema, document, operationName, variables, this.#limit, this.#rowsPerCall);
    const operation = this.#operation(document, operationName);
    return operation ? operation.cost(variables, count) : count();
  }

  #operation(document: DocumentNode, operationName: string | null | undefined): KnownOperation | undefined {
    const name = operationName ?? undefined;
    const known = this.#operations.get(document)?.get(name);
    if (known) return known;
    const definition = getOperationAST(document, operationName);
    if (definition?.kind !== Kind.OPERATION_DEFINITION) return undefined;
    const operations = this.#operations.get(document) ?? new Map<string | undefined, KnownOperation>();
    const operation = new KnownOperation(document, definition);
    this.#operations.set(document, operations.set(name, operation));
    return operation;
  }
}
