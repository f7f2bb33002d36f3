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

type JsonValue = object | string | number | boolean | null;
/** An object or a list of the result that is being filled. */
type Target = Record<string | number, JsonValue>;

/** A selected field of an object type. */
interface SelectedField {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly nodes: readonly FieldNode[];
}

/** A value that must still be completed. */
interface Task {
  /** The object or list that contains it. Null for the data. */
  readonly parent: Task | null;
  readonly target: Target;
  readonly key: string | number;
  readonly type: GraphQLOutputType;
  readonly value: unknown;
  readonly nodes: readonly FieldNode[];
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
 * graphql-js can't interrupt it. The result is the same, but `@defer` and `@stream` are ignored, as the specification allows. Fields that are selected repeatedly are
 * collected once, so it takes a third of the time.
 */
export class SchemaReading {
  readonly #scope: DocumentScope;
  /** Fields by the nodes of their parent. */
  readonly #selected = new Map<readonly FieldNode[], Map<GraphQLObjectType, readonly SelectedField[]>>();
  /** The last one is next, so that the number of tasks remains small. */
  readonly #pending: Task[] = [];
  readonly #result: Target = Object.create(null);
  #current: Task | null = null;

  constructor(scope: DocumentScope, operation: OperationDefinitionNode) {
    this.#scope = scope;
    const root = scope.schema.getRootType(operation.operation);
    if (!root) throw new Error(`The schema has no ${operation.operation} type.`);
    const nodes = [{ selectionSet: operation.selectionSet } as FieldNode];
    this.#pending.push({ parent: null, target: this.#result, key: 'data', type: root, value: undefined, nodes });
  }

  /** The path of the value that is being completed, for an error in it. */
  get path(): readonly (string | number)[] {
    const path: (string | number)[] = [];
    for (let task = this.#current; task?.parent; task = task.parent) path.unshift(task.key);
    return path;
  }

  /** Reads `count` further values. Returns the data when all are read, otherwise null. Throws if an argument or a condition is invalid. */
  read(count: number): Record<string, unknown> | null {
    let left = count;
    for (let task = this.#pending.pop(); task; task = this.#pending.pop()) {
      this.#current = task;
      left -= this.#complete(task);
      if (left <= 0) break;
    }
    return this.#pending.length === 0 ? (this.#result.data as Record<string, unknown>) : null;
  }

  /** Completes a value except for the objects and lists in it. Returns the number of completed values. */
  #complete(task: Task): number {
    const { target, key, type, value, nodes } = task;
    const nullable = isNonNullType(type) ? type.ofType : type;
    if (isListType(nullable)) {
      const items = [...(value as Iterable<unknown>)];
      const list: JsonValue[] = new Array(items.length).fill(null);
      target[key] = list;
      for (let index = items.length - 1; index >= 0; index -= 1)
        this.#set({ parent: task, target: list as unknown as Target, key: index, type: nullable.ofType, value: items[index], nodes });
      return items.length;
    }
    if (!isObjectType(nullable)) throw new Error(`${nullable.name} isn’t part of introspection.`);
    const fields = this.#select(nullable, nodes);
    const object: Target = Object.create(null);
    target[key] = object;
    const info = this.#scope as GraphQLResolveInfo;
    for (const { name, field, args, nodes: own } of fields) {
      const resolved = field === TypeNameMetaFieldDef ? nullable.name : field.resolve?.(value, args, undefined, info);
      this.#set({ parent: task, target: object, key: name, type: field.type, value: resolved, nodes: own });
    }
    return fields.length;
  }

  /** Sets a member: a leaf value at once, and an object or a list to null until it's completed, so that members are in order. */
  #set(task: Task): void {
    const { target, key, type, value } = task;
    const nullable = isNonNullType(type) ? type.ofType : type;
    target[key] = null;
    if (value === null || value === undefined) return;
    if (isLeafType(nullable)) target[key] = nullable.serialize(value) as JsonValue;
    else this.#pending.push(task);
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
      return first && field ? [{ name, field, nodes: all, args: getArgumentValues(field, first, variableValues ?? {}) }] : [];
    });
  }
}
