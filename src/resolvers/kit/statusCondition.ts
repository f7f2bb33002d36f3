import { invalidInput } from '../../failures/failures.ts';
import type { JsonObject } from '../../lib/json.ts';
import { requireKnownMember, type WireEnum, type WireEnumValue } from '../../schema/kit/enums.ts';
import { BoundField, type InputMembers, unbound } from '../../schema/kit/inputs.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';
import { ARGUMENT } from './filters.ts';

const NAME = 'statuses';

/** The condition `statuses` of a list's filter. */
export class StatusCondition {
  readonly #status: WireEnum<string, string>;
  /** The request field by which the upstream filters by one status. Undefined if it doesn't. */
  readonly #field: MessageFields['fields'][string] | undefined;

  constructor(status: WireEnum<string, string>, request: MessageFields) {
    this.#status = status;
    this.#field = request.fields.status;
  }

  /** Declares the input field. `nouns` names the records: `orders`. `cost` is a sentence about several statuses. */
  bindMembers(nouns: string, cost = ''): InputMembers {
    const { ref, unspecified } = this.#status;
    const description = `Only ${nouns} with any of these statuses. ${cost}`.trim();
    if (!this.#field) return { [NAME]: unbound([ref], description) };
    const toWire = (members: unknown, path: readonly string[]) => {
      const [only, ...others] = new Set(members as readonly string[]);
      return only === undefined || others.length > 0 ? unspecified : this.#status.toWire(only, [...path, '0']);
    };
    return { [NAME]: new BoundField('status', this.#field, { type: [ref], toWire, emptyValue: unspecified }, description, false) };
  }

  /** Whether the upstream can't apply the condition. */
  needsWholeList({ [NAME]: statuses }: JsonObject): boolean {
    return new Set((statuses ?? []) as readonly string[]).size > (this.#field ? 1 : 0);
  }

  /** Returns the statuses that match. Undefined if all do. Throws ValidationError for an empty list and `OTHER`. */
  getStatuses({ [NAME]: statuses }: JsonObject): ReadonlySet<string> | undefined {
    if (!statuses) return undefined;
    const path = [ARGUMENT, NAME];
    const members = statuses as readonly string[];
    if (members.length === 0) throw invalidInput(path, 'TOO_SHORT', 'must not be empty. Omit it to list everything.', 1);
    return new Set(members.map((member, index) => requireKnownMember(member, [...path, String(index)])));
  }

  /** Whether a record's status is one of them. */
  isMatch(statuses: ReadonlySet<string> | undefined, value: WireEnumValue): boolean {
    return !statuses || statuses.has(this.#status.fromWire(value) ?? '');
  }
}
