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
  /** API key of the call. Calls with other keys aren't affected. */
  readonly key: string;
}

/** The sandbox in this process, for the demonstrations of the start page. */
export interface DemoSandbox {
  readonly keys: readonly { readonly key: string; readonly purpose: string }[];
  /**
   * Runs `act`, and loses the response of the first matching call. Resolves to the result and to the calls with the same API key meanwhile, in order. Must not
   * run twice at the same time.
   */
  loseResponse<Result>(lost: LostResponse, act: () => Promise<Result>): Promise<readonly [Result, readonly DemoCall[]]>;
  /** Sends a call directly, without the graph. Rejects if the response is lost. */
  call(operation: string, key: string, request: object): Promise<unknown>;
}
