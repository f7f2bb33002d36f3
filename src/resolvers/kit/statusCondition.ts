import { invalidInput } from '../../failures/failures.ts';
import { requireKnownMember, type WireEnum, type WireEnumValue } from '../../schema/kit/enums.ts';
import { type BoundField, type createBinder, type InputMembers, unbound, unboundEnum } from '../../schema/kit/inputs.ts';
import { ARGUMENT } from './filters.ts';

/** The conditions of a filter, by name. */
export type Conditions = Readonly<Record<string, unknown>>;

/** The conditions `status` and `statusIn` of a list's filter. */
export class StatusCondition {
  readonly #status: WireEnum<string, string>;
  /** Whether the upstream filters by one status. */
  readonly #isSent: boolean;

  constructor(status: WireEnum<string, string>, isSent: boolean) {
    this.#status = status;
    this.#isSent = isSent;
  }

  /** Declares the input fields. `nouns` names the records: `orders`. `cost` is a sentence about several statuses. */
  bindMembers(f: ReturnType<typeof createBinder>, nouns: string, cost = ''): InputMembers {
    const description = `Only ${nouns} with this status.`;
    const bindStatus = (f as unknown as Readonly<Record<string, (description: string, type: unknown) => BoundField>>).status;
    return {
      status: bindStatus ? bindStatus(description, this.#status) : unboundEnum(this.#status, description),
      statusIn: unbound([this.#status.ref], `Only ${nouns} with one of these statuses. Can’t be combined with \`status\`. ${cost}`.trim()),
    };
  }

  /** Whether the upstream can't apply the condition. */
  needsWholeList({ status, statusIn }: Conditions): boolean {
    const statuses = new Set((statusIn ?? []) as readonly string[]);
    return statuses.size > 1 || (!this.#isSent && ((status !== undefined && status !== null) || statuses.size > 0));
  }

  /** Returns the statuses that match. Undefined if all do. Throws ValidationError for an empty list, `OTHER`, and two conditions on the status. */
  getStatuses({ status, statusIn }: Conditions): ReadonlySet<string> | undefined {
    if (!statusIn) return status ? new Set([String(status)]) : undefined;
    const path = [ARGUMENT, 'statusIn'];
    if (status) throw invalidInput(path, 'NOT_ALLOWED', 'can’t be combined with `status`. List all statuses in `statusIn`.');
    const members = statusIn as readonly string[];
    if (members.length === 0) throw invalidInput(path, 'TOO_SHORT', 'must not be empty. Omit it to list everything.', 1);
    return new Set(members.map((member, index) => requireKnownMember(member, [...path, String(index)])));
  }

  /** Replaces a list of one status with the filter that the upstream supports. */
  simplify<Args extends { readonly filter?: unknown }>(args: Args): Args {
    const conditions = (args.filter ?? {}) as Conditions;
    const statuses = this.getStatuses(conditions);
    return this.#isSent && statuses?.size === 1 ? { ...args, filter: { ...conditions, status: [...statuses][0] } } : args;
  }

  /** Whether a record's status is one of them. */
  isMatch(statuses: ReadonlySet<string> | undefined, value: WireEnumValue): boolean {
    return !statuses || statuses.has(this.#status.fromWire(value) ?? '');
  }
}
