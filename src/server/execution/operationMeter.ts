import { type DocumentNode, type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';

/** How an operation ended: with all its data, with some beside errors, or with errors alone. Failures that a mutation answers in its union are data. */
export type OperationOutcome = 'ok' | 'partial' | 'failed';

/** Told of each operation that was executed or refused for its cost, and of the upstream calls that batching through lists saved it. */
export type OnOperation = (type: string, documentId: string, outcome: OperationOutcome, seconds: number, savedCalls: number) => void;

/** Stands for all documents that are not trusted: their texts, names and hashes are the callers' to choose, and without bound. */
const AD_HOC = 'ad-hoc';

function outcomeOf({ data, errors }: ExecutionResult): OperationOutcome {
  if (!errors?.length) return 'ok';
  return data ? 'partial' : 'failed';
}

/** Measures operations, and records their spans, by both roads: the short path and the tools by `execute`, all others by `plugin`. */
export class OperationMeter {
  readonly #onOperation: OnOperation | null;
  /** Ids of the trusted documents, by their texts. */
  readonly #ids: ReadonlyMap<string, string>;
  /** Ids by the parsed documents, so that no text is compared twice. */
  readonly #known = new WeakMap<DocumentNode, string>();

  /** `onOperation` is null where only spans are wanted. */
  constructor(onOperation: OnOperation | null, trusted: ReadonlyMap<string, string>) {
    this.#onOperation = onOperation;
    this.#ids = new Map([...trusted].map(([id, text]) => [text, id]));
  }

  /** Executes by `execute`, and measures that. */
  async execute(args: ExecutionArgs, execute: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
    const end = this.#begin(args);
    try {
      const result = await execute();
      end(outcomeOf(result));
      return result;
    } catch (error) {
      end('failed');
      throw error;
    }
  }

  /** An answer in parts is measured to its last part, and its outcome is that of the first part that has errors. */
  plugin(): Plugin<Context> {
    return {
      onExecute: ({ args }) => {
        const end = this.#begin(args);
        return {
          onExecuteDone: ({ result }) => {
            if (!isAsyncIterable(result)) return end(outcomeOf(result));
            let outcome: OperationOutcome = 'ok';
            return {
              onNext: ({ result: part }: { result: ExecutionResult }) => {
                if (outcome === 'ok') outcome = outcomeOf(part);
              },
              onEnd: () => end(outcome),
            };
          },
        };
      },
    };
  }

  #begin({ document, operationName, contextValue }: ExecutionArgs): (outcome: OperationOutcome) => void {
    const startedAt = performance.now();
    const { upstream } = contextValue as Context;
    const executed = getOperationAST(document, operationName);
    const type = executed?.operation ?? 'query';
    const id = this.#idOf(document);
    const span = upstream.trace?.operation(type, executed?.name?.value, id === AD_HOC ? null : id);
    return (outcome) => {
      const savedCalls = upstream.lists?.savedCalls ?? 0;
      this.#onOperation?.(type, id, outcome, (performance.now() - startedAt) / 1000, savedCalls);
      span?.end(outcome, savedCalls);
    };
  }

  #idOf(document: DocumentNode): string {
    const known = this.#known.get(document);
    if (known !== undefined) return known;
    const id = this.#ids.get(document.loc?.source.body ?? '') ?? AD_HOC;
    this.#known.set(document, id);
    return id;
  }
}
