import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { StagedValidation } from './stagedValidation.ts';

/** The functions of Yoga, with all plugins. */
interface Enveloped {
  readonly schema: GraphQLSchema;
  readonly parse: (text: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly Error[];
}

/** Parses and validates documents as Yoga does. */
export class DocumentParser {
  readonly #getEnveloped: () => Enveloped;
  readonly #staged: StagedValidation;

  constructor(yoga: { getEnveloped(context: object): unknown }, staged: StagedValidation) {
    // Yoga's plugins check the method, to reject mutations by GET.
    this.#getEnveloped = () => yoga.getEnveloped({ request: { method: 'POST' } }) as Enveloped;
    this.#staged = staged;
  }

  /** The schema, including what plugins add. */
  get schema(): GraphQLSchema {
    return this.#getEnveloped().schema;
  }

  /** Returns a valid document, or the messages of its errors. */
  readonly parse = (text: string): DocumentNode | readonly string[] => {
    const { schema, parse, validate } = this.#getEnveloped();
    try {
      const document = parse(text);
      const errors = validate(schema, document);
      return errors.length === 0 ? document : errors.map(({ message }) => message);
    } catch (error) {
      return [(error as Error).message];
    }
  };

  /** Returns a valid document. Null if it isn't valid. */
  readonly parseValid = (text: string): DocumentNode | null => {
    const document = this.parse(text);
    return 'definitions' in document ? document : null;
  };

  /** Does the work of `parse` in stages, so that `parse` then returns at once. */
  *parseInStages(text: string): Generator<void, void> {
    const { schema, parse, validate } = this.#getEnveloped();
    let document: DocumentNode;
    try {
      document = parse(text);
    } catch {
      // The error is cached, or found at once.
      return;
    }
    yield* this.#staged.run(schema, document, validate);
  }
}
