import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import { currentRequest } from './currentRequest.ts';
import type { DocumentNames } from './documentNames.ts';
import { failedWith, OK, type OperationEnd, OutcomeCollector, outcomeOf, type ResultPart } from './outcome.ts';

/** An operation that has ended. */
export interface MeasuredOperation extends OperationEnd {
  readonly type: string;
  /** ID of a trusted document. Null for all others, whose text, name and hash clients choose. */
  readonly documentId: string | null;
  readonly seconds: number;
  /** Upstream calls that batching through lists saved. */
  readonly savedCalls: number;
}

/** Called for each operation that was executed, or rejected because of its cost. */
export type OnOperation = (operation: MeasuredOperation) => void;

type End = (end: OperationEnd) => void;

/** Measures and logs operations, and records their spans, on both code paths: `execute` for the fast path and agent tools, `plugin` for Yoga. */
export class OperationMeter {
  readonly #onOperation: OnOperation | null;
  readonly #names: DocumentNames;

  /** `onOperation` is null if there are no metrics. */
  constructor(onOperation: OnOperation | null, names: DocumentNames) {
    this.#onOperation = onOperation;
    this.#names = names;
  }

  /** Executes and measures an operation. */
  async execute(args: ExecutionArgs, execute: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
    const end = this.#begin(args);
    try {
      const result = await execute();
      end(outcomeOf(result, (args.contextValue as Context).mutationErrors));
      return result;
    } catch (error) {
      end(failedWith([error]));
      throw error;
    }
  }

  /** An incremental result is measured until its last part. */
  plugin(): Plugin<Context> {
    return {
      onExecute: ({ args }) => {
        const end = this.#begin(args);
        const log = currentRequest.getStore()?.log;
        if (log) log.failRunning = (errors) => end(failedWith(errors));
        return {
          onExecuteDone: ({ result }) => {
            const { mutationErrors } = args.contextValue as Context;
            if (!isAsyncIterable(result)) return end(outcomeOf(result, mutationErrors));
            const collector = new OutcomeCollector(mutationErrors);
            return {
              onNext: ({ result: part }: { result: ResultPart }) => collector.add(part),
              onEnd: () => end(collector.end()),
            };
          },
        };
      },
    };
  }

  #begin({ document, operationName, contextValue }: ExecutionArgs): End {
    const startedAt = performance.now();
    const { upstream } = contextValue as Context;
    const log = currentRequest.getStore()?.log;
    const executed = getOperationAST(document, operationName);
    const type = executed?.operation ?? 'query';
    const name = executed?.name?.value;
    const documentId = this.#names.trustedId(document);
    const span = upstream.trace?.operation(type, name, documentId);
    return (end) => {
      const ms = performance.now() - startedAt;
      const savedCalls = upstream.lists?.savedCalls ?? 0;
      // A rehearsal ends with an error where the write would be sent.
      const isRehearsal = upstream.rehearsed !== null;
      const { outcome, codes } = isRehearsal ? OK : end;
      if (log) log.failRunning = null;
      this.#onOperation?.({ type, documentId, outcome, codes, seconds: ms / 1000, savedCalls });
      span?.end(outcome, savedCalls);
      log?.onOperation({ type, name, document: this.#names.nameOf(document), outcome, codes, calls: upstream.sentCalls, isRehearsal }, ms);
    };
  }
}
