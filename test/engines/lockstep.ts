import { setImmediate as turn } from 'node:timers/promises';
import type { Transport, UpstreamRequest, UpstreamResponse } from '../../src/upstream/transport/transport.ts';

/** Turns of the event loop after the last response in which a resolver sends its concurrent calls. */
const QUIET_TURNS = 3;

/**
 * Delivers responses in waves: all calls in flight complete before any response is delivered, and the responses are delivered in the order of the calls. So the
 * upstream's speed doesn't affect which calls a request sends concurrently and which sequentially.
 */
export class Lockstep implements Transport {
  readonly #transport: Transport;
  #waves: string[][] = [];
  #isDelivered = true;
  #inFlight = 0;
  #held: { readonly sent: number; readonly deliver: () => void }[] = [];
  #sent = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the calls since the last time by wave. The calls of a wave are sorted, because they have no order. */
  async takeWaves(): Promise<readonly (readonly string[])[]> {
    while (this.#inFlight > 0 || this.#held.length > 0) await turn();
    const waves = this.#waves.map((calls) => calls.toSorted());
    this.#waves = [];
    this.#isDelivered = true;
    return waves;
  }

  async send(request: UpstreamRequest): Promise<UpstreamResponse> {
    if (this.#isDelivered) this.#waves.push([]);
    this.#isDelivered = false;
    this.#waves.at(-1)?.push(`${request.path.replace(/^.*publicapi\.v1\./, '')} ${request.body}`);
    this.#sent += 1;
    const sent = this.#sent;
    this.#inFlight += 1;
    try {
      return await this.#transport.send(request);
    } finally {
      this.#inFlight -= 1;
      await this.#wave(sent);
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #wave(sent: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.push({ sent, deliver: resolve });
    if (this.#inFlight === 0) void this.#deliver();
    return promise;
  }

  async #deliver(): Promise<void> {
    const last = this.#sent;
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) await turn();
    // More calls were sent in the meantime: the last of their responses delivers all.
    if (this.#inFlight > 0 || this.#sent !== last) return;
    const held = this.#held.toSorted((one, other) => one.sent - other.sent);
    this.#held = [];
    this.#isDelivered = true;
    for (const { deliver } of held) deliver();
  }
}
