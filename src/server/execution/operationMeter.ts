import { finalAsyncIterator, isAsyncIterable, mapAsyncIterator } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import type { MaybePromise } from '../../lib/maybePromise.ts';
import { currentRequest } from './currentRequest.ts';
import { classifyResult, failedWith, OK, type OperationEnd, OutcomeCollector, type ResultPart } from './outcome.ts';
import type { Plan } from './plan.ts';

/** A result, or the parts of an incremental one. */
export type OperationResult = ResultPart | AsyncIterable<ResultPart>;

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

/** Measures and logs operations, and records their spans. */
export class OperationMeter {
  readonly #onOperation: OnOperation | null;

  /** `onOperation` is null if there are no metrics. */
  constructor(onOperation: OnOperation | null) {
    this.#onOperation = onOperation;
  }

  /** Executes and measures an operation. An incremental result is measured until its last part. */
  measure(plan: Plan, context: Context, execute: () => MaybePromise<OperationResult>): MaybePromise<OperationResult> {
    const end = this.#begin(plan, context);
    const onResult = (result: OperationResult) => {
      if (isAsyncIterable(result)) return measuredParts(result, context, end);
      end(classifyResult(result, context.mutationErrors));
      return result;
    };
    const onError = (error: unknown): never => {
      end(failedWith([error]));
      throw error;
    };
    let result: MaybePromise<OperationResult>;
    try {
      result = execute();
    } catch (error) {
      return onError(error);
    }
    return result instanceof Promise ? result.then(onResult, onError) : onResult(result);
  }

  #begin(plan: Plan, { upstream }: Context): End {
    const startedAt = performance.now();
    const log = currentRequest.getStore()?.log;
    const { operation, documentId } = plan;
    const type = operation.operation;
    const name = operation.name?.value;
    const span = upstream.trace?.startOperation(type, name, plan.documentName);
    return (end) => {
      const ms = performance.now() - startedAt;
      const savedCalls = upstream.savedCalls;
      // A rehearsal ends with an error where the write would be sent.
      const isRehearsal = upstream.rehearsed !== null;
      const { outcome, codes } = isRehearsal ? OK : end;
      this.#onOperation?.({ type, documentId, outcome, codes, seconds: ms / 1000, savedCalls });
      span?.end(outcome, savedCalls);
      log?.onOperation({ type, name, document: plan.documentName, outcome, codes, calls: upstream.sent, isRehearsal }, ms);
    };
  }
}

function measuredParts(parts: AsyncIterable<ResultPart>, { mutationErrors }: Context, end: End): AsyncIterable<ResultPart> {
  const collector = new OutcomeCollector(mutationErrors);
  const collected = mapAsyncIterator(parts, (part: ResultPart) => {
    collector.add(part);
    return part;
  });
  return finalAsyncIterator(collected, () => end(collector.end()));
}
