import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Credential } from '../upstream/access/credential.ts';

/** The caller of a tool. */
export interface ToolCaller {
  readonly credential: Credential;
  readonly requestId: string;
  /** The HTTP response of the call. Reads are aborted if it closes before it's finished. */
  readonly response: {
    readonly destroyed: boolean;
    readonly writableFinished: boolean;
    on(event: 'close', listener: () => void): unknown;
  };
}

/** An operation of a document, with its variables and its caller. */
export interface InProcessExecution {
  readonly document: DocumentNode;
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly caller: ToolCaller;
  /** Bypasses the read cache, because a write must be judged by the current records. */
  readonly bypassesReadCache?: boolean;
}

/** Executes documents in this process, with the same limits, costs, ledger, and error masking as HTTP requests. Implemented by the server. */
export interface InProcessExecutor {
  readonly schema: GraphQLSchema;
  /** Parses and validates a document like that of a request. Returns the document, or its problems. */
  parseAndValidate(text: string): DocumentNode | readonly string[];
  /** Why an operation would be rejected for its cost before anything is sent. Undefined if it wouldn't. */
  findCostProblem(document: DocumentNode, operationName: string, variables: Readonly<Record<string, unknown>>): string | undefined;
  execute(execution: InProcessExecution): Promise<ExecutionResult>;
  /** Executes a mutation up to its write, and reads what would block the write. Null if nothing would, otherwise the result. Nothing is sent or stored. */
  rehearse(execution: InProcessExecution): Promise<ExecutionResult | null>;
  /** Scopes that the caller doesn't have by exact name. Null if its scopes are unknown. Throws an ApiError if they can't be looked up. */
  findMissingScopes(caller: ToolCaller, scopes: readonly string[]): Promise<readonly string[] | null>;
}
