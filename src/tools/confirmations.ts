import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createTimedKey } from '../ledger/ids.ts';
import { toCanonicalJson } from '../lib/canonicalJson.ts';
import type { Clock } from '../lib/clock.ts';

/** How long a plan can be confirmed, in milliseconds. Chosen: a person needs time to read it. */
const LIFETIME_MS = 10 * 60 * 1000;
/** Length of a generated secret, in bytes. */
const SECRET_BYTES = 32;
/** Fingerprint length in characters; long enough to make collisions negligible. */
const FINGERPRINT_LENGTH = 22;

/** A planned write. Its confirmation executes exactly this. */
export interface PlannedWrite {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The only caller that can confirm the plan. */
  readonly callerId: string;
}

/** A confirmed plan. */
export interface ConfirmedPlan {
  /** Idempotency key of the write: confirming a plan repeatedly executes it once. */
  readonly idempotencyKey: string;
  /** Version of the planned record. Null if it has none. */
  readonly version: string | null;
  /** Whether these are the records that the plan was created from. */
  matchesRecords(records: unknown): boolean;
}

/** Why a confirmation is rejected. */
export interface RejectedConfirmation {
  readonly problem: string;
}

interface Claims {
  /** Tool name. */
  readonly t: string;
  /** Fingerprints of the arguments, the caller, and the planned records. */
  readonly a: string;
  readonly c: string;
  readonly s: string;
  /** Idempotency key. */
  readonly i: string;
  /** Version of the record. */
  readonly v: string | null;
  /** Expiry, in Unix milliseconds. */
  readonly e: number;
}

const NEW_PLAN_ADVICE = 'Call the tool without `confirmation` to get a new plan.';

/** Confirmations of plans: a signed token that proves that the same caller confirms the same plan. It can't prove that a person has seen the plan. */
export class Confirmations {
  readonly #secret: Buffer;
  readonly #clock: Clock;

  /** Generates a secret if it's empty. Confirmations then expire with the process, and no other process accepts them. */
  constructor(secret: string, clock: Clock) {
    this.#secret = secret === '' ? randomBytes(SECRET_BYTES) : Buffer.from(secret);
    this.#clock = clock;
  }

  /** Creates the token of a plan from these records, and returns when it expires. */
  create(
    { tool, args, callerId }: PlannedWrite,
    records: unknown,
    version: string | null,
  ): { readonly confirmation: string; readonly expiresAt: Date } {
    const e = this.#clock.unixMs() + LIFETIME_MS;
    // A confirmation outlives a ledger in memory, and the clocks of hosts differ. The ledger refuses the key once its entry may be gone.
    const i = createTimedKey(this.#clock.unixMs(), `plan-${randomBytes(16).toString('base64url')}`);
    const fingerprints = {
      a: this.#fingerprint('arguments', args),
      c: this.#fingerprint('caller', callerId),
      s: this.#fingerprint('records', records),
    };
    const claims: Claims = { t: tool, ...fingerprints, i, v: version, e };
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return { confirmation: `${text}.${this.#sign(text)}`, expiresAt: new Date(e) };
  }

  /** Verifies a token for a plan. */
  read(token: string, { tool, args, callerId }: PlannedWrite): ConfirmedPlan | RejectedConfirmation {
    const [text = '', signature = '', ...rest] = token.split('.');
    const isSigned = rest.length === 0 && isEqual(signature, this.#sign(text));
    if (!isSigned) return { problem: `Invalid confirmation: it was modified or signed by another process. ${NEW_PLAN_ADVICE}` };
    const { t, a, c, s, i, v, e } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims;
    if (c !== this.#fingerprint('caller', callerId))
      return { problem: `The confirmation belongs to another API key or account. ${NEW_PLAN_ADVICE}` };
    if (t !== tool) return { problem: `The confirmation is for ${t}, not for ${tool}. ${NEW_PLAN_ADVICE}` };
    if (a !== this.#fingerprint('arguments', args))
      return {
        problem:
          'The arguments differ from those of the plan. Send the same arguments, or call the tool without `confirmation` to get a new plan.',
      };
    if (this.#clock.unixMs() >= e) return { problem: `The confirmation has expired after ten minutes. ${NEW_PLAN_ADVICE}` };
    return { idempotencyKey: i, version: v, matchesRecords: (current) => s === this.#fingerprint('records', current) };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(`confirmation ${text}`).digest('base64url');
  }

  /** Keyed, so that a token reveals nothing about its input. */
  #fingerprint(kind: string, value: unknown): string {
    return createHmac('sha256', this.#secret)
      .update(`${kind} ${toCanonicalJson(value)}`)
      .digest('base64url')
      .slice(0, FINGERPRINT_LENGTH);
  }
}

function isEqual(first: string, second: string): boolean {
  const [one, other] = [Buffer.from(first), Buffer.from(second)];
  return one.length === other.length && timingSafeEqual(one, other);
}
