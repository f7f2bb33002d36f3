import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getArgumentValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { collectFields, createTraversal, type DocumentScope } from '../../schema/kit/lookahead.ts';

/** A selected field of an object type. */
interface SelectedField {
  readonly name: string;
  /** Its name in the result, as JSON with a colon. */
  readonly label: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly nodes: readonly FieldNode[];
}

/** An object or a list that must still be read. */
interface Task {
  /** The object or list that contains it. Null for the data. */
  readonly parent: Task | null;
  readonly key: string | number;
  readonly type: GraphQLOutputType;
  readonly value: unknown;
  readonly nodes: readonly FieldNode[];
}

/** The JSON of null or of a leaf. Undefined for an object or a list. */
function serializeLeaf(nullable: GraphQLOutputType, value: unknown): string | undefined {
  if (value === null || value === undefined) return 'null';
  const type = isNonNullType(nullable) ? nullable.ofType : nullable;
  return isLeafType(type) ? JSON.stringify(type.serialize(value)) : undefined;
}

/** The fields that read the schema. */
const META_FIELDS: Readonly<Record<string, GraphQLField<unknown, unknown>>> = {
  [SchemaMetaFieldDef.name]: SchemaMetaFieldDef,
  [TypeMetaFieldDef.name]: TypeMetaFieldDef,
  [TypeNameMetaFieldDef.name]: TypeNameMetaFieldDef,
};

/** Whether these root fields can be read in parts: those that graphql-js defines, whose resolvers return at once, and which have no interfaces or unions. */
export const canReadInParts = (names: Iterable<string>): boolean => [...names].every((name) => Object.hasOwn(META_FIELDS, name));

/**
 * Reads a schema for an operation that selects nothing else, in parts, between which other work can be done. A complete introspection has 46,000 values, and
 * graphql-js can't interrupt it. The result is the JSON of graphql-js' result, but `@defer` and `@stream` are ignored, as the specification allows. Fields that are
 * selected repeatedly are collected once. No objects are created, and each part becomes a buffer, because what the heap holds for several parts is copied or marked by the
 * garbage collector: with strings of 2 MB, it stops the process for 40 ms every 1.4 s alongside clients that repeat it.
 */
export class SchemaReading {
  readonly #scope: DocumentScope;
  /** Fields by the nodes of their parent. */
  readonly #selected = new Map<readonly FieldNode[], Map<GraphQLObjectType, readonly SelectedField[]>>();
  /** What is still missing in the JSON: text, and what must be read. The last one is next. */
  readonly #pending: (string | Task)[] = [];
  /** The JSON of the current part. */
  readonly #json: string[] = [];
  readonly #parts: Buffer[] = [];
  #current: Task | null = null;

  constructor(scope: DocumentScope, operation: OperationDefinitionNode) {
    this.#scope = scope;
    const root = scope.schema.getRootType(operation.operation);
    if (!root) throw new Error(`The schema has no ${operation.operation} type.`);
    const nodes = [{ selectionSet: operation.selectionSet } as FieldNode];
    this.#pending.push({ parent: null, key: 'data', type: root, value: undefined, nodes });
  }

  /** The path of the object or list that is being read, for an error in it. */
  get path(): readonly (string | number)[] {
    const path: (string | number)[] = [];
    for (let task = this.#current; task?.parent; task = task.parent) path.unshift(task.key);
    return path;
  }

  /** Reads `count` further values. Returns the JSON of the data when all are read, otherwise null. Throws if an argument or a condition is invalid. */
  read(count: number): Buffer | null {
    const isComplete = this.#readValues(count);
    this.#parts.push(Buffer.from(this.#json.join('')));
    this.#json.length = 0;
    return isComplete ? Buffer.concat(this.#parts) : null;
  }

  /** Returns whether all values are read. */
  #readValues(count: number): boolean {
    let left = count;
    while (left > 0) {
      const next = this.#pending.pop();
      if (next === undefined) return true;
      if (typeof next === 'string') {
        this.#json.push(next);
        continue;
      }
      this.#current = next;
      left -= this.#read(next);
    }
    return false;
  }

  /** Reads the values in an object or a list. Returns their number. */
  #read(task: Task): number {
    const { type: nullable, value, nodes } = task;
    const type = isNonNullType(nullable) ? nullable.ofType : nullable;
    if (isListType(type)) return this.#readList(task, type.ofType);
    if (!isObjectType(type)) throw new Error(`${type.name} isn’t part of introspection.`);
    const fields = this.#select(type, nodes);
    const info = this.#scope as GraphQLResolveInfo;
    const missing: (string | Task)[] = [];
    let text = '{';
    for (const { name, label, field, args, nodes: own } of fields) {
      if (text.length > 1 || missing.length > 0) text += ',';
      const member = field === TypeNameMetaFieldDef ? type.name : field.resolve?.(value, args, undefined, info);
      const leaf = serializeLeaf(field.type, member);
      text += label + (leaf ?? '');
      if (leaf !== undefined) continue;
      missing.push(text, { parent: task, key: name, type: field.type, value: member, nodes: own });
      text = '';
    }
    missing.push(`${text}}`);
    this.#pending.push(...missing.reverse());
    return fields.length;
  }

  #readList(task: Task, type: GraphQLOutputType): number {
    const items = [...(task.value as Iterable<unknown>)];
    const leaves = items.map((item) => serializeLeaf(type, item));
    this.#pending.push(']');
    for (const [index, value] of [...items.entries()].reverse())
      this.#pending.push(leaves[index] ?? { parent: task, key: index, type, value, nodes: task.nodes }, index === 0 ? '[' : ',');
    if (items.length === 0) this.#pending.push('[');
    return items.length;
  }

  #select(type: GraphQLObjectType, nodes: readonly FieldNode[]): readonly SelectedField[] {
    let byType = this.#selected.get(nodes);
    if (!byType) {
      byType = new Map();
      this.#selected.set(nodes, byType);
    }
    const known = byType.get(type);
    if (known) return known;
    const fields = this.#collect(type, nodes);
    byType.set(type, fields);
    return fields;
  }

  #collect(type: GraphQLObjectType, nodes: readonly FieldNode[]): SelectedField[] {
    const { variableValues } = this.#scope;
    const own = type.getFields();
    const traversal = createTraversal();
    const merged = nodes.flatMap(({ selectionSet }) =>
      selectionSet ? [...collectFields(selectionSet, type, this.#scope, traversal)] : [],
    );
    const byName = Map.groupBy(merged, ({ alias, name }) => (alias ?? name).value);
    return [...byName].flatMap(([name, all]) => {
      const [first] = all;
      const field = first && (META_FIELDS[first.name.value] ?? own[first.name.value]);
      return first && field
        ? [{ name, label: `${JSON.stringify(name)}:`, field, nodes: all, args: getArgumentValues(field, first, variableValues ?? {}) }]
        : [];
    });
  }
}
