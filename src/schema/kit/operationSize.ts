import { type FieldNode, Kind, type OperationDefinitionNode, type SelectionNode, type SelectionSetNode } from 'graphql';
import { countLiteralBytes, listVariableNames } from './argumentNodes.ts';
import type { Fragments } from './selections.ts';

/** Root fields that return the schema. */
export const SCHEMA_FIELDS: ReadonlySet<string> = new Set(['__schema', '__type', '_service']);

const INCREMENTAL: ReadonlySet<string> = new Set(['defer', 'stream']);

/** What an operation contains. Fragments count as often as they are spread. */
export interface OperationSize {
  selections: number;
  aliases: number;
  directives: number;
  /** Directives that deliver results incrementally. */
  incrementalDirectives: number;
  /** Fields that return the schema. */
  schemaFields: number;
  /** References to variables in arguments of fields. */
  argumentReferences: number;
  /** Bytes of the literal lists and objects in arguments of fields. */
  argumentBytes: number;
}

const empty = (): OperationSize => ({
  selections: 0,
  aliases: 0,
  directives: 0,
  incrementalDirectives: 0,
  schemaFields: 0,
  argumentReferences: 0,
  argumentBytes: 0,
});

function add(size: OperationSize, other: OperationSize): void {
  for (const name of Object.keys(size) as (keyof OperationSize)[]) size[name] += other[name];
}

function addField(size: OperationSize, { alias, name, arguments: args = [] }: FieldNode): void {
  if (alias) size.aliases += 1;
  if (SCHEMA_FIELDS.has(name.value)) size.schemaFields += 1;
  for (const { value } of args) {
    size.argumentReferences += listVariableNames(value).length;
    size.argumentBytes += countLiteralBytes(value);
  }
}

/** Measures selection sets. Each fragment is visited once, so that cyclic ones, which validation rejects, end as well. */
class Measurement {
  readonly #fragments: Fragments;
  readonly #fragmentSizes = new Map<string, OperationSize>();

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
  }

  addSelections(size: OperationSize, { selections }: SelectionSetNode): void {
    for (const node of selections) this.#addSelection(size, node);
  }

  #addSelection(size: OperationSize, node: SelectionNode): void {
    size.selections += 1;
    for (const { name } of node.directives ?? []) {
      size.directives += 1;
      if (INCREMENTAL.has(name.value)) size.incrementalDirectives += 1;
    }
    if (node.kind === Kind.FIELD) addField(size, node);
    if (node.kind === Kind.FRAGMENT_SPREAD) add(size, this.#fragmentSize(node.name.value));
    else if (node.selectionSet) this.addSelections(size, node.selectionSet);
  }

  #fragmentSize(name: string): OperationSize {
    const known = this.#fragmentSizes.get(name);
    if (known) return known;
    const fragment = this.#fragments[name];
    this.#fragmentSizes.set(name, empty());
    const size = empty();
    if (fragment) this.addSelections(size, fragment.selectionSet);
    this.#fragmentSizes.set(name, size);
    return size;
  }
}

const sizes = new WeakMap<OperationDefinitionNode, Readonly<OperationSize>>();

/** Size of an operation, measured once. `fragments` are those of its document. */
export function measureOperation(operation: OperationDefinitionNode, fragments: Fragments): Readonly<OperationSize> {
  const known = sizes.get(operation);
  if (known) return known;
  const size = empty();
  size.directives += operation.directives?.length ?? 0;
  new Measurement(fragments).addSelections(size, operation.selectionSet);
  sizes.set(operation, size);
  return size;
}
