/** A call that the sandbox received. */
export interface DemoCall {
  /** Such as `Inventory/MoveInventory`. */
  readonly operation: string;
  /** Null if the call has none. */
  readonly idempotencyKey: string | null;
  /** Whether the call took effect, but its response was lost. */
  readonly isLost: boolean;
}

/** A call to lose the response of. */
export interface LostResponse {
  readonly operation: string;
  /** ID of the request to the graph that sends the call. Calls of other requests aren't affected. */
  readonly requestId: string;
}

/** The sandbox in this process, for the demonstrations of the start page. */
export interface DemoSandbox {
  readonly keys: readonly { readonly key: string; readonly purpose: string }[];
  /** Runs `act`, and loses the response of the first matching call. Resolves to the result and to the calls with the same request ID meanwhile, in order. */
  loseResponse<Result>(lost: LostResponse, act: () => Promise<Result>): Promise<readonly [Result, readonly DemoCall[]]>;
  /** Sends a call directly, without the graph, as if it belonged to the request. Rejects if the response is lost. */
  call(operation: string, key: string, requestId: string, request: object): Promise<unknown>;
}
