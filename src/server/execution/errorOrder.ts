import {
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { collectFragments, type Fragments } from '../../schema/kit/selections.ts';

type Path = readonly (string | number)[];

/** A response name among those of its object. */
interface FieldPosition {
  readonly index: number;
  readonly fields: FieldNode[];
}

/** The response names of an object in the order of the document, with fragments expanded. */
function collectPositions(sets: readonly SelectionSetNode[], fragments: Fragments): ReadonlyMap<string, FieldPosition> {
  const places = new Map<string, FieldPosition>();
  const expanded = new Set<string>();
  const add = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) add(node.selectionSet);
      else if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments[node.name.value];
        if (fragment && !expanded.has(node.name.value)) {
          expanded.add(node.name.value);
          add(fragment.selectionSet);
        }
      } else {
        const name = (node.alias ?? node.name).value;
        const place = places.get(name) ?? { index: places.size, fields: [] };
        place.fields.push(node);
        places.set(name, place);
      }
    }
  };
  for (const set of sets) add(set);
  return places;
}

/** The order of the paths of an operation: fields as in the document, whatever the types of its fragments, and list items by index. */
export class PathOrder {
  readonly #fragments: Fragments;
  readonly #root: readonly SelectionSetNode[];
  /** Positions of the fields below each path of response names. */
  readonly #known = new Map<string, ReadonlyMap<string, FieldPosition>>();

  constructor({ document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>) {
    const operation = getOperationAST(document, operationName);
    this.#fragments = collectFragments(document);
    this.#root = operation ? [operation.selectionSet] : [];
  }

  /** Sorts errors by path. The sort is stable, and errors without a path come first. */
  sort<Item extends { readonly path?: Path | undefined }>(items: readonly Item[]): Item[] {
    const ranked = items.map((item) => ({ item, rank: this.#rank(item.path ?? []) }));
    return ranked.sort((one, other) => compare(one.rank, other.rank)).map(({ item }) => item);
  }

  #rank(path: Path): number[] {
    let sets = this.#root;
    let names = '';
    return path.map((key) => {
      if (typeof key === 'number') return key;
      const places = this.#known.get(names) ?? collectPositions(sets, this.#fragments);
      this.#known.set(names, places);
      const place = places.get(key);
      sets = place?.fields.flatMap(({ selectionSet }) => selectionSet ?? []) ?? [];
      names += `${key}.`;
      return place?.index ?? places.size;
    });
  }
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index]);
  // A path precedes those that start with it.
  if (at < 0) return one.length - other.length;
  return at < other.length ? (one[at] ?? 0) - (other[at] ?? 0) : 1;
}

/**
 * A result with its errors in the order of the document. Executors list errors in the order in which they occurred, which depends on the order in which upstream
 * responses arrive.
 */
export function sortErrors<Result extends Pick<ExecutionResult, 'errors'>>(result: Result, args: ExecutionArgs): Result {
  const { errors = [] } = result;
  return errors.length > 1 ? { ...result, errors: new PathOrder(args).sort<GraphQLError>(errors) } : result;
}
