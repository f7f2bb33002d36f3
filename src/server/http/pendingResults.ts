import {
  type DirectiveNode,
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type GraphQLError,
  type InlineFragmentNode,
  Kind,
  type NamedTypeNode,
  type SelectionNode,
  visit,
} from 'graphql';
import { collectFragments } from '../../schema/kit/selections.ts';

type Path = readonly (string | number)[];
type Json = Record<string, unknown>;

/** A result of the format of 2022, which the executor creates. */
export interface LegacyResult {
  readonly data?: unknown;
  readonly items?: readonly unknown[] | null;
  readonly path?: Path;
  readonly label?: string;
  readonly errors?: readonly GraphQLError[];
}

/** A part of a response in the format of 2022. */
export interface LegacyPart {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
  readonly incremental?: readonly LegacyResult[];
  readonly hasNext?: boolean;
  readonly extensions?: unknown;
}

/** A fragment with @defer, or a field with @stream. */
interface IncrementalSelection {
  /** The client's label. */
  readonly label: string | undefined;
  /** The label in the executed document. */
  readonly executedLabel: string;
  /** Response name of the list. Null for a fragment. */
  readonly list: string | null;
}

interface Pending {
  readonly id: string;
  readonly isList: boolean;
}

const createNameNode = (value: string) => ({ kind: Kind.NAME, value }) as const;

const isIncremental = ({ name }: DirectiveNode) => name.value === 'defer' || name.value === 'stream';

const getLabel = ({ arguments: args = [] }: DirectiveNode): string | undefined => {
  const value = args.find(({ name }) => name.value === 'label')?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
};

const setLabel = (directive: DirectiveNode, label: string): DirectiveNode => ({
  ...directive,
  arguments: [
    ...(directive.arguments ?? []).filter(({ name }) => name.value !== 'label'),
    { kind: Kind.ARGUMENT, name: createNameNode('label'), value: { kind: Kind.STRING, value: label } },
  ],
});

/**
 * Converts an incremental response to the format of https://specs.apollo.dev/incremental/v0.2, in which the client learns from each part which results are pending.
 * The executor doesn't report that. So the document that it executes has a marker next to each deferred fragment and streamed list: a field whose presence in the
 * data shows that the executor has reached the place. Labels are replaced by unique ones, by which results are matched.
 *
 * Fields that were already delivered are delivered again. A stream is completed in the last part, because the executor doesn't report its end.
 */
export class PendingResults {
  /** The document to execute. */
  readonly document: DocumentNode;
  readonly #prefix: string;
  /** Selections by the response names of their markers. */
  readonly #markers = new Map<string, IncrementalSelection>();
  readonly #open = new Map<string, Pending>();
  readonly #seen = new Set<string>();
  #lastId = 0;
  /** Errors of the first result that failed, for the results that were removed with it. */
  #failure: readonly GraphQLError[] | undefined;

  /** `active` are the selections that are deferred or streamed, given the variables. */
  constructor({ document }: Pick<ExecutionArgs, 'document'>, active: ReadonlySet<SelectionNode>) {
    this.#prefix = choosePrefix(document.loc?.source.body ?? '');
    const fragments = collectFragments(document);
    this.document = visit(document, {
      SelectionSet: {
        // On entering, so that the selections inside are those of the client's document.
        enter: (set) => ({
          ...set,
          selections: set.selections.flatMap((node): SelectionNode[] => {
            if (!active.has(node)) return [node];
            if (node.kind === Kind.FIELD) return this.#addMarker(node, (node.alias ?? node.name).value, undefined);
            const condition = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value]?.typeCondition : node.typeCondition;
            return this.#addMarker(node, null, condition);
          }),
        }),
      },
    });
  }

  #addMarker(node: SelectionNode, list: string | null, typeCondition: NamedTypeNode | undefined): SelectionNode[] {
    const { directives = [] } = node;
    const own = directives.find(isIncremental);
    if (!own) return [node];
    const executedLabel = String(this.#markers.size);
    const name = this.#prefix + executedLabel;
    this.#markers.set(name, { label: getLabel(own), executedLabel, list });
    const marker: FieldNode = { kind: Kind.FIELD, alias: createNameNode(name), name: createNameNode('__typename') };
    const place: InlineFragmentNode = {
      kind: Kind.INLINE_FRAGMENT,
      ...(typeCondition && { typeCondition }),
      directives: directives.filter((directive) => !isIncremental(directive)),
      selectionSet: { kind: Kind.SELECTION_SET, selections: [marker] },
    };
    return [place, { ...node, directives: directives.map((each) => (each === own ? setLabel(each, executedLabel) : each)) }];
  }

  /** Converts a part of a response. Parts must be passed in order. */
  convert({ data, errors, incremental = [], hasNext, ...rest }: LegacyPart): Json {
    const pending: Json[] = [];
    const results: Json[] = [];
    const completed: Json[] = [];
    this.#collect(data, [], pending);
    for (const result of incremental) this.#add(result, pending, results, completed);
    if (hasNext === false) completed.push(...this.#completeAll());
    return {
      ...(errors && { errors }),
      ...(data !== undefined && { data }),
      ...((pending.length > 0 || (data !== undefined && hasNext)) && { pending }),
      ...(results.length > 0 && { incremental: results }),
      ...(completed.length > 0 && { completed }),
      ...(hasNext !== undefined && { hasNext }),
      ...rest,
    };
  }

  #add({ data, items, path = [], label = '', errors }: LegacyResult, pending: Json[], results: Json[], completed: Json[]): void {
    const isList = items !== undefined;
    const at = isList ? path.slice(0, -1) : path;
    const key = createKey(label, at);
    // A nested fragment can be delivered before the one that contains it.
    const { id } = this.#open.get(key) ?? this.#announce(label, at, isList, pending);
    if ((isList ? items : data) === null) {
      this.#failure ??= errors;
      this.#open.delete(key);
      completed.push({ id, ...(errors && { errors }) });
      return;
    }
    this.#collect(data, path, pending);
    // The path of streamed items ends with the index of the first.
    for (const [index, item] of (items ?? []).entries()) this.#collect(item, [...at, Number(path.at(-1)) + index], pending);
    results.push({ id, ...(isList ? { items } : { data }), ...(errors && { errors }) });
    if (isList) return;
    this.#open.delete(key);
    completed.push({ id });
  }

  /** Removes the markers from data, and announces their results. */
  #collect(value: unknown, path: Path, pending: Json[]): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.#collect(item, [...path, index], pending);
      return;
    }
    const object = value as Json;
    for (const [name, member] of Object.entries(object)) {
      const directed = this.#markers.get(name);
      if (!directed) this.#collect(member, [...path, name], pending);
      else {
        delete object[name];
        this.#announceMarked(directed, object, path, pending);
      }
    }
  }

  #announceMarked({ executedLabel, list }: IncrementalSelection, object: Json, path: Path, pending: Json[]): void {
    const isList = list !== null;
    const at = isList ? [...path, list] : path;
    const isPresent = !isList || Array.isArray(object[list]);
    if (isPresent && !this.#seen.has(createKey(executedLabel, at))) this.#announce(executedLabel, at, isList, pending);
  }

  #announce(label: string, path: Path, isList: boolean, pending: Json[]): Pending {
    const result = { id: String(this.#lastId), isList };
    this.#lastId += 1;
    const own = this.#markers.get(this.#prefix + label)?.label;
    pending.push({ id: result.id, path, ...(own !== undefined && { label: own }) });
    this.#open.set(createKey(label, path), result);
    this.#seen.add(createKey(label, path));
    return result;
  }

  /** Streams have ended, and the executor has removed fragments whose object became null. */
  #completeAll(): Json[] {
    const left = [...this.#open.values()];
    this.#open.clear();
    return left.map(({ id, isList }) => ({ id, ...(!isList && this.#failure && { errors: this.#failure }) }));
  }
}

const createKey = (label: string, path: Path) => JSON.stringify([label, path]);

/** A prefix of response names that the document doesn't contain. */
function choosePrefix(source: string): string {
  let prefix = '__pending';
  while (source.includes(prefix)) prefix += '_';
  return prefix;
}
