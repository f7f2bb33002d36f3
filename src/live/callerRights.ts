import { ForbiddenError, invalidInput } from '../failures/failures.ts';
import { ExecuteQuery } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import type { Session } from '../upstream/session.ts';
import type { Change, Interest, LiveType } from './changes.ts';
import type { Access, ReadAccess, Rights, Subject } from './rights.ts';

/** The rights of the caller of a subscription: its scopes, and the data that it can access. */
export class CallerRights {
  readonly channel: string;
  readonly #rights: Rights;
  readonly #upstream: Session;
  /** Operations that read the records of the subscription. */
  readonly #operations: readonly AnyOperation[];
  readonly #read: ReadAccess;

  constructor(rights: Rights, upstream: Session, channel: string, operations: readonly AnyOperation[], read: ReadAccess) {
    this.#rights = rights;
    this.#upstream = upstream;
    this.channel = channel;
    this.#operations = operations;
    this.#read = read;
  }

  /** Returns the access to each record or type. */
  async find(subjects: readonly Subject[]): Promise<readonly Access[]> {
    const { keyHash } = this.#upstream;
    if (keyHash === null) throw new Error('A request without a credential has no rights.');
    return this.#rights.find(this.channel, keyHash, subjects, this.#read);
  }

  /** Returns the types whose records the caller can all read. */
  async findFullAccess(types: Iterable<LiveType>): Promise<readonly LiveType[]> {
    // Results belong to the key. Accounts that share it can have fewer scopes.
    if ((await this.#upstream.access.check([ExecuteQuery])).can === 'NO') return [];
    const subjects = Array.from(types, (type) => ({ type, id: null }));
    const found = await this.find(subjects);
    return subjects.flatMap(({ type }, index) => (found[index] === 'GRANTED' ? [type] : []));
  }

  /** Returns the types, or throws ValidationError if the caller can't read all records of each. */
  async requireFullAccess(types: ReadonlySet<LiveType>): Promise<readonly LiveType[]> {
    const readable = await this.findFullAccess(types);
    if (readable.length === types.size) return readable;
    const needs = 'an API key with the scope `analytics:read` by name, and an account with full access';
    throw invalidInput(['ids'], 'REQUIRED', `must list the records to watch, because only ${needs}, can watch all records of a type.`);
  }

  /** Returns the changes that the caller can receive. Throws if it lacks a scope or full access. */
  async limit(changes: readonly Change[], interest: Interest): Promise<readonly Change[]> {
    for (;;) {
      const { generation } = this.#rights;
      const limited = await this.#limit(changes, interest);
      // Reading the other rights can take long. Costs nothing while the scopes are known.
      await this.#checkScopes();
      // Several reads took part, and rights may have changed after the first one.
      if (generation === this.#rights.generation) return limited;
    }
  }

  async #limit(changes: readonly Change[], { ids }: Interest): Promise<readonly Change[]> {
    await this.#checkScopes();
    if (!ids) {
      await this.requireFullAccess(new Set(changes.map(({ type }) => type)));
      return changes;
    }
    // Together, so that none is older than the others.
    const accesses = await this.find(changes.flatMap((change) => change.ids.map((id) => ({ type: change.type, id }))));
    const limited: Change[] = [];
    let first = 0;
    for (const change of changes) {
      const { type } = change;
      const found = accesses.slice(first, first + change.ids.length);
      first += change.ids.length;
      const readable = change.ids.filter((_id, index) => found[index] !== 'DENIED');
      // The client notices that a record is gone. The upstream may only conceal it, so its further changes aren't signaled.
      for (const [index, id] of change.ids.entries()) if (found[index] === 'MISSING') ids.get(type)?.delete(id);
      if (readable.length > 0 || change.isTruncated) limited.push({ ...change, ids: readable });
    }
    return limited;
  }

  async #checkScopes(): Promise<void> {
    const { can, missingScopes } = await this.#upstream.access.check(this.#operations);
    if (can !== 'NO') return;
    const required = [...new Set(this.#operations.flatMap(({ scopes }) => scopes))];
    throw new ForbiddenError(this.#upstream.credential?.account ? 'ACCOUNT_SCOPE' : 'MISSING_SCOPE', required, missingScopes);
  }
}
