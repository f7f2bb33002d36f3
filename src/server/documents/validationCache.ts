import { type DocumentNode, GraphQLError, type Source } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { truncateMessage } from '../execution/masking.ts';
import { MAX_ERRORS } from './validation.ts';

/** Locations that are reported of an error. Chosen: a conflict of two selections can concern thousands of fields. */
const MAX_POSITIONS = 10;
/** Memory of a cache entry in addition to its strings, in bytes. Measured: 250. */
const ENTRY_BYTES = 300;
/** Strings can use two bytes per character. */
const CHARACTER_BYTES = 2;

/** What is stored of an error: neither its AST nodes nor its stack frames, which retain the document and the state of the validation. */
interface StoredError {
  readonly message: string;
  readonly positions?: readonly number[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

const toStored = (error: GraphQLError): StoredError => ({
  message: truncateMessage(error),
  ...(error.positions && { positions: error.positions.slice(0, MAX_POSITIONS) }),
  extensions: error.extensions,
});

const weighFailure = (source: string, json: string) => ENTRY_BYTES + CHARACTER_BYTES * (source.length + json.length);

/**
 * The results of validation against one schema. Documents that were rejected are removed from the cache of parsed ones, and only the JSON of their errors is
 * cached, because every client can send them.
 */
class ValidationCache {
  readonly #valid = new WeakSet<DocumentNode>();
  readonly #failures: BoundedCache<string>;

  constructor(maxBytes: number) {
    this.#failures = new BoundedCache({ weight: { max: maxBytes, weightOf: weighFailure } });
  }

  /** Returns the errors of a document: an empty list if it's valid, or undefined if it hasn't been validated. */
  get(document: DocumentNode, source: Source): GraphQLError[] | undefined {
    if (this.#valid.has(document)) return [];
    const json = this.#failures.get(source.body);
    return json === undefined ? undefined : this.#restore(json, source);
  }

  /** Stores the errors of a document. Returns those to report, which are the same as `get` returns. */
  set(document: DocumentNode, source: Source, errors: readonly GraphQLError[]): GraphQLError[] {
    if (errors.length === 0) {
      this.#valid.add(document);
      return [];
    }
    // One more says that there are more.
    const json = JSON.stringify(errors.slice(0, MAX_ERRORS + 1).map(toStored));
    this.#failures.set(source.body, json);
    return this.#restore(json, source);
  }

  /** Creates errors for each request, because Yoga adds the status to them. */
  #restore(json: string, source: Source): GraphQLError[] {
    return (JSON.parse(json) as StoredError[]).map(({ message, ...error }) => new GraphQLError(message, { ...error, source }));
  }
}

/**
 * Validates each document once. `maxBytes` limits the memory of errors. Yoga's own cache would retain the
 * errors with their documents, frames and nodes.
 */
export function useValidationCache(parsed: Pick<BoundedCache<DocumentNode>, 'delete'>, maxBytes: number): Plugin {
  const cache = new ValidationCache(maxBytes);
  return {
    onValidate({ params, context, setResult }) {
      const document: DocumentNode = params.documentAST;
      const { loc } = document;
      if (!loc) return undefined;
      const known = cache.get(document, loc.source);
      // The fast path, which has no parameters of Yoga, leaves the document for Yoga to report its errors.
      if (known?.length && 'params' in context) parsed.delete(loc.source.body);
      if (known) {
        setResult(known);
        return undefined;
      }
      return ({ result, setResult: setReported }) => {
        const errors = cache.set(document, loc.source, result as GraphQLError[]);
        if (errors.length > 0 && 'params' in context) parsed.delete(loc.source.body);
        setReported(errors);
      };
    },
  };
}
