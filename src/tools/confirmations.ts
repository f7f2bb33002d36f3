import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../lib/canonicalJson.ts';
import type { Clock } from '../lib/clock.ts';
import { keyHashOf } from '../lib/keyHash.ts';

/** How long a plan may be confirmed, in milliseconds. Ours: a person reads it meanwhile. */
const LIFETIME_MS = 10 * 60 * 1000;
/** Bytes of a secret that no setting gives. */
const SECRET_BYTES = 32;
/** Characters of a mark: enough that no two callers, arguments or states share one. */
const FINGERPRINT_LENGTH = 22;

/** A planned change: only this is done by its confirmation. */
export interface PlannedWrite {
  readonly tool: string;
  /** Arguments of the tool, without the confirmation. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly apiKey: string;
}

/** A plan that is confirmed. */
export interface ConfirmedPlan {
  /** Under this the change is made once, however often it is confirmed. */
  readonly idempotencyKey: string;
  /** The version of the record that the plan showed; null where it has none. */
  readonly version: string | null;
  /** Whether the records that the plan showed are these. */
  matchesRecords(seen: unknown): boolean;
}

/** Why a confirmation is not taken. */
export interface RejectedConfirmation {
  readonly problem: string;
}

interface Claims {
  /** Tool. */
  readonly t: string;
  /** Marks of the arguments, the caller and the records that were shown. */
  readonly a: string;
  readonly c: string;
  readonly s: string;
  /** Idempotency key. */
  readonly i: string;
  /** Version of the record. */
  readonly v: string | null;
  /** End, in Unix milliseconds. */
  readonly e: number;
}

const NEW_PLAN_ADVICE = 'Call the tool without `confirmation` to get a new plan.';

/** Confirmations of plans: a token that proves that the same plan is confirmed by the same caller. Whether a person has seen it, no token can prove. */
export class Confirmations {
  readonly #secret: Buffer;
  readonly #clock: Clock;

  /** Without a secret, one is made: then confirmations end with the process, and no other process takes them. */
  constructor(secret: string, clock: Clock) {
    this.#secret = secret === '' ? randomBytes(SECRET_BYTES) : Buffer.from(secret);
    this.#clock = clock;
  }

  /** The token for a plan that shows these records, and when it ends. */
  create(
    { tool, args, apiKey }: PlannedWrite,
    records: unknown,
    version: string | null,
  ): { readonly confirmation: string; readonly expiresAt: Date } {
    const e = this.#clock.unixMs() + LIFETIME_MS;
    const i = `plan-${randomBytes(16).toString('base64url')}`;
    const fingerprints = {
      a: this.#fingerprint('arguments', args),
      c: this.#fingerprintCaller(apiKey),
      s: this.#fingerprint('records', records),
    };
    const claims: Claims = { t: tool, ...fingerprints, i, v: version, e };
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return { confirmation: `${text}.${this.#sign(text)}`, expiresAt: new Date(e) };
  }

  /** Reads a token that came for a plan. */
  read(token: string, { tool, args, apiKey }: PlannedWrite): ConfirmedPlan | RejectedConfirmation {
    const [text = '', signature = '', ...rest] = token.split('.');
    const isSigned = rest.length === 0 && isEqual(signature, this.#sign(text));
    if (!isSigned) return { problem: `Invalid confirmation: it was modified or signed by another process. ${NEW_PLAN_ADVICE}` };
    const { t, a, c, s, i, v, e } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims;
    if (c !== this.#fingerprintCaller(apiKey)) return { problem: `The confirmation belongs to another API key. ${NEW_PLAN_ADVICE}` };
    if (t !== tool) return { problem: `The confirmation is for ${t}, not for ${tool}. ${NEW_PLAN_ADVICE}` };
    if (a !== this.#fingerprint('arguments', args))
      return {
        problem:
          'The arguments differ from those of the plan. Send the same arguments, or call the tool without `confirmation` to get a new plan.',
      };
    if (this.#clock.unixMs() >= e) return { problem: `The confirmation has expired after ten minutes. ${NEW_PLAN_ADVICE}` };
    return { idempotencyKey: i, version: v, matchesRecords: (now) => s === this.#fingerprint('records', now) };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(`confirmation ${text}`).digest('base64url');
  }

  /** Keyed, so that a token tells nothing of what it is made from. */
  #fingerprint(kind: string, value: unknown): string {
    return createHmac('sha256', this.#secret)
      .update(`${kind} ${canonicalJson(value)}`)
      .digest('base64url')
      .slice(0, FINGERPRINT_LENGTH);
  }

  #fingerprintCaller(apiKey: string): string {
    return this.#fingerprint('caller', keyHashOf(apiKey));
  }
}

function isEqual(given: string, own: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(own)];
  return one.length === other.length && timingSafeEqual(one, other);
}
