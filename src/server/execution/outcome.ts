import type { ExecutionResult } from 'graphql';
import { ERROR_CODES, type ErrorCode } from '../../failures/errorCodes.ts';
import { AbandonedError } from '../../failures/failures.ts';
import { maskError } from './masking.ts';

/**
 * Outcome of an operation, in metrics, spans and logs. A root field has failed if it's null because of an error, if it's a list in which each item is, or if it's a
 * mutation that returned an error of its result union.
 * - `ok`: no errors.
 * - `failed`: every root field has failed, or there's no data.
 * - `partial`: anything between.
 */
export type OperationOutcome = 'ok' | 'partial' | 'failed';

/** Outcome of an operation, with the codes of its errors, sorted. */
export interface OperationEnd {
  readonly outcome: OperationOutcome;
  readonly codes: readonly ErrorCode[];
}

/** A result, or one part of an incremental one. */
export interface ResultPart extends ExecutionResult {
  readonly hasNext?: boolean;
  readonly incremental?: readonly Increment[];
}

interface Increment extends ExecutionResult {
  readonly path?: readonly (string | number)[] | undefined;
  readonly label?: string;
  readonly items?: unknown;
}

/** Codes of the errors that mutations returned in their result unions, by response key. */
export type MutationErrors = ReadonlyMap<string, ErrorCode>;

/** The end of an operation without errors. */
export const OK: OperationEnd = { outcome: 'ok', codes: [] };

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);

/** The code that clients get for an error, which doesn't have to be masked yet. Null for reads that were aborted because the client disconnected. */
function getCode(error: unknown): ErrorCode | null {
  const { originalError } = error as { readonly originalError?: unknown };
  if (error instanceof AbandonedError || originalError instanceof AbandonedError) return null;
  const { code } = (error as { readonly extensions?: { readonly code?: unknown } }).extensions ?? {};
  if (isCode(code)) return code;
  const masked = (maskError(error, () => {}, false) as { readonly extensions?: { readonly code?: unknown } }).extensions?.code;
  return isCode(masked) ? masked : 'INTERNAL_SERVER_ERROR';
}

/** The outcome of an operation that produced no result, because of these errors. */
export const failedWith = (errors: readonly unknown[]): OperationEnd => {
  const codes = new Set(errors.map(getCode).filter((code) => code !== null));
  return { outcome: 'failed', codes: [...codes].sort() };
};

/** Whether errors at these paths are the reason why a root field has no value: it's null, or a list such as `_entities` in which each item is. */
function isLost(value: unknown, paths: readonly (readonly (string | number)[])[] | undefined): boolean {
  if (!paths) return false;
  if (!Array.isArray(value)) return value === null;
  const failed = new Set(paths.map(([, index]) => index));
  return value.length > 0 && value.every((item, index) => item === null && failed.has(index));
}

/** Collects the outcome of an operation from the parts of its result. */
export class OutcomeCollector {
  readonly #mutationErrors: MutationErrors;
  readonly #codes = new Set<ErrorCode>();
  #hasErrors = false;
  #roots = 0;
  #failedRoots = 0;

  constructor(mutationErrors: MutationErrors) {
    this.#mutationErrors = mutationErrors;
  }

  add({ data, errors = [], incremental = [] }: ResultPart): void {
    this.#addErrors(errors);
    if (data !== undefined) this.#addRoots(data, errors);
    for (const { path = [], data: later, errors: laterErrors = [] } of incremental) {
      this.#addErrors(laterErrors);
      // A deferred fragment of the operation itself.
      if (path.length === 0 && later !== undefined) this.#addRoots(later, laterErrors);
    }
  }

  end(): OperationEnd {
    for (const code of this.#mutationErrors.values()) this.#codes.add(code);
    if (!this.#hasErrors && this.#codes.size === 0) return OK;
    return { outcome: this.#failedRoots < this.#roots ? 'partial' : 'failed', codes: [...this.#codes].sort() };
  }

  #addErrors(errors: readonly unknown[]): void {
    for (const error of errors) {
      const code = getCode(error);
      if (code !== null) this.#codes.add(code);
      this.#hasErrors = true;
    }
  }

  #addRoots(data: Readonly<Record<string, unknown>> | null, errors: NonNullable<ResultPart['errors']>): void {
    if (data === null) {
      this.#roots += 1;
      this.#failedRoots += 1;
      return;
    }
    const paths = Map.groupBy(
      errors.flatMap(({ path }) => (path ? [path] : [])),
      ([key]) => key,
    );
    for (const [key, value] of Object.entries(data)) {
      // `__typename` and the schema can't fail.
      if (key.startsWith('__')) continue;
      this.#roots += 1;
      if (isLost(value, paths.get(key)) || this.#mutationErrors.has(key)) this.#failedRoots += 1;
    }
  }
}

/** The outcome of an operation with a single result. */
export function classifyResult(result: ExecutionResult, mutationErrors: MutationErrors): OperationEnd {
  if (!result.errors?.length && mutationErrors.size === 0) return OK;
  const collector = new OutcomeCollector(mutationErrors);
  collector.add(result);
  return collector.end();
}
