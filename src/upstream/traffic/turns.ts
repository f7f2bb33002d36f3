import { ABANDONED } from '../../failures/failures.ts';
import { RoundRobin, type Sender, Waiter } from './senders.ts';

/** A request that is resumed by responses. */
export interface TurnRequester {
  readonly sender: Sender;
  readonly isDisconnected: boolean;
  /** Predicted number of values in its response. */
  readonly values: number;
  /** Whether it may need further responses before it has all. */
  readonly mayCallAgain: boolean;
  /** Work that a response leads to, in values. */
  readonly workPerResponse: number;
  /** Turn in which it was last resumed. */
  resumedIn: number;
  /** The turn that it waits for. Null if it doesn't wait. */
  turn: Promise<void> | null;
}

/**
 * Maximum work that is resumed in one turn of the event loop, in values of responses. Chosen by measurement: while 150 clients of another key send large
 * queries, the p99 of a small one is 2.3 times that of an idle server, instead of 2.9 times with 500 and 3.7 times with 1,000 (load `crowded` of the
 * benchmark). With 500, a request of four calls takes about a tenth less CPU, which isn't worth the rest of the limit of 3 times.
 */
export const TURN_WORK = 250;
/** Work of resuming a request, regardless of what it selects. Chosen: a small request takes as long as some dozen values. */
export const BASE_WORK = 50;
/** Maximum number of predicted values of a small request, and maximum work that a response to it leads to. Chosen. */
const MAX_SMALL = 50;
/**
 * Work of starting or resuming a small request. Chosen: ten of them count as a turn, so that hundreds of one key don't delay those of others. With 50, which is
 * closer to what they take, the turns themselves were a sixth of the CPU time of a request for one record.
 */
const SMALL_WORK = 25;

/**
 * Iterations of the event loop after a turn in which only what arrives from the network is served. An upstream call is sent one iteration after its request
 * has arrived, because undici checks first whether its connection is still open. Without the pause, each of these steps waits for a turn of others: alongside
 * documents of 9,000 tokens, the p50 of a small query is 44 ms instead of 25.
 */
export const PAUSE_ITERATIONS = 2;

/**
 * Distributes the turns of the event loop. Executing the rest of an operation can’t be interrupted, and one response of the upstream can resume hundreds of
 * requests at the same time. Each turn therefore resumes a limited amount of work, but at least one response, and senders alternate. Requests that arrive
 * meanwhile, and health checks, are served in between. A response doesn't wait if its work still fits into the turn. What requests do before they send calls, such
 * as parsing a document, takes turns as well.
 */
export class Turns {
  readonly #waiting = new RoundRobin('turns');
  /** Number of the current turn. */
  #current = 1;
  #spent = 0;
  #isScheduled = false;
  /** Iterations of the event loop until the next turn. */
  #pause = 0;

  /**
   * Returns the value of a response that has arrived, or a promise for it if its request has to wait for a turn. The promise rejects with ABANDONED if the
   * client has disconnected by then.
   */
  resume(value: object, requester: TurnRequester): object | Promise<object> {
    const turn = this.#getTurn(requester);
    if (!turn) return value;
    return turn.then(() => {
      if (requester.isDisconnected) throw ABANDONED;
      return value;
    });
  }

  /** Waits for a turn to work on a request, which may lead to `work` in it. Undefined if the work can start immediately. */
  waitForTurn({ sender, values }: TurnRequester, work = 0): Promise<void> | undefined {
    const isSmall = values <= MAX_SMALL && work <= MAX_SMALL;
    return this.waitToWork(sender, isSmall ? SMALL_WORK : BASE_WORK + work);
  }

  /** Waits for a turn to do other work of a sender, in values of responses that take as long. Undefined if the work can start immediately. */
  waitToWork(sender: Sender, work: number): Promise<void> | undefined {
    this.#schedule();
    const isFirst = this.#spent === 0 && !this.#waiting.first;
    if (isFirst || this.#fits(work)) {
      this.#spent += work;
      return undefined;
    }
    const waiter = new Waiter(work);
    this.#waiting.add(sender, waiter);
    return waiter.turn.promise;
  }

  /**
   * Returns the turn in which to resume a request. Undefined if it can be resumed immediately. Responses that arrive together resume it in the same turn while
   * they may lead to further calls, which are then batched. Otherwise, each gets its own turn.
   */
  #getTurn(requester: TurnRequester): Promise<void> | undefined {
    const { mayCallAgain } = requester;
    if (mayCallAgain && requester.resumedIn === this.#current) return undefined;
    if (mayCallAgain && requester.turn) return requester.turn;
    const turn = this.waitForTurn(requester, requester.workPerResponse);
    if (!turn) {
      requester.resumedIn = this.#current;
      return undefined;
    }
    requester.turn = turn.then(() => {
      requester.turn = null;
      requester.resumedIn = this.#current;
    });
    return requester.turn;
  }

  #fits(work: number): boolean {
    return this.#spent + work <= TURN_WORK;
  }

  /** Schedules one immediate for all responses that are resumed until then. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#startTurn);
  }

  readonly #startTurn = () => {
    if (this.#pause > 0) {
      this.#pause -= 1;
      setImmediate(this.#startTurn);
      return;
    }
    this.#isScheduled = false;
    this.#current += 1;
    this.#spent = 0;
    if (!this.#waiting.first) return;
    for (let waiter = this.#waiting.first; waiter; waiter = this.#waiting.first) {
      if (this.#spent > 0 && !this.#fits(waiter.work)) break;
      this.#spent += waiter.work;
      this.#waiting.removeFirst();
      waiter.turn.resolve();
    }
    // When all that was resumed has run, which may ask for further turns: the next tick follows all microtasks.
    queueMicrotask(() => process.nextTick(this.#endTurn));
    this.#pause = PAUSE_ITERATIONS;
    this.#schedule();
  };

  /** Requests that arrive from the network before the next turn may be small. They get the same amount of work. */
  readonly #endTurn = () => {
    this.#spent = 0;
  };
}
