import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';

/** The caller of a tool. */
export interface Caller {
  readonly apiKey: string;
  readonly requestId: string;
  /** The response that the answer is for: reads are given up when it closes before its end. */
  readonly response: {
    readonly closed: boolean;
    readonly writableFinished: boolean;
    once(event: 'close', listener: () => void): unknown;
  };
}

/** An operation of a document, with its variables, for a caller. */
export interface Execution {
  readonly document: DocumentNode;
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Reads nothing from the answers that are kept: a change is judged by the records as they are. */
  readonly bypassesReadCache?: boolean;
}

/** Executes documents in this process, by the road of all requests: with their limits, costs, ledger and masks. Made by the server. */
export interface InProcessExecutor {
  readonly schema: GraphQLSchema;
  /** Reads a document and checks it as that of a request: the document, or the problems that it has. */
  parseAndValidate(text: string): DocumentNode | readonly string[];
  /** Why an operation would be refused for its cost, before anything is sent; undefined where it would not. */
  findCostProblem(document: DocumentNode, operationName: string, variables: Readonly<Record<string, unknown>>): string | undefined;
  execute(execution: Execution): Promise<ExecutionResult>;
  /** Executes a mutation up to the point where its write would be sent, and reads what would block the write. Null if nothing would, otherwise the result. Nothing is sent or stored. */
  rehearse(execution: Execution): Promise<ExecutionResult | null>;
  /** Scopes that the key of the caller lacks by name. Null if its scopes are unknown. Throws an ApiError if they can't be looked up. */
  findMissingScopes(caller: Caller, scopes: readonly string[]): Promise<readonly string[] | null>;
}
