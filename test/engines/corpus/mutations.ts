import { type Input, validInput } from '../../promises/inputs.ts';
import { MUTATIONS, type Mutation } from '../../promises/mutations.ts';
import type { Step } from '../engine.ts';
import { type Area, type Case, NamedRecords, post } from './case.ts';

const requestOf = ({ document }: Mutation, input: Input, key?: string) => post(document, { input }, key);

const nameOf = (title: string) => title.replaceAll(' ', '-');

/** The ways in which a mutation ends without an effect, its effect, a repeat of it, and another input under its key. */
const done = (mutation: Mutation): Case => ({
  title: mutation.title,
  steps: async (sandbox) => {
    const make = (mark: string) => validInput(mutation.field, mutation.input, mutation.variant, new NamedRecords(sandbox, mark));
    const idempotencyKey = `key of ${mutation.title}`;
    const input: Input = { ...(await make(nameOf(mutation.title))), idempotencyKey };
    const other: Input = { ...(await make(`other-${nameOf(mutation.title)}`)), idempotencyKey };
    const step = (title: string, given: Input, key?: string): Step => ({
      title: `${mutation.title} ${title}`,
      request: requestOf(mutation, given, key),
    });
    return [
      step('without its scope', input, 'demo-warehouse'),
      step('without its role', input, 'demo-restricted'),
      ...(mutation.operation.versionField === undefined ? [] : [step('at another version', { ...input, expectedVersion: '99' })]),
      step('done', input),
      step('repeated', input),
      step('with another input under the key', other),
    ];
  },
});

/** A mutation whose response is lost after it took effect, and a repeat of it. */
const lost = (mutation: Mutation): Case => ({
  title: `${mutation.title}, lost`,
  steps: async (sandbox) => {
    const records = new NamedRecords(sandbox, nameOf(mutation.title));
    const made = await validInput(mutation.field, mutation.input, mutation.variant, records);
    const request = requestOf(mutation, { ...made, idempotencyKey: `key of ${mutation.title}` });
    return [
      { title: `${mutation.title} whose response is lost`, request, faults: [{ operation: mutation.operation.name, cut: 'after' }] },
      { title: `${mutation.title} repeated after a lost response`, request },
    ];
  },
});

/** Words of an area's mutations, by which they begin. */
const AREAS: Readonly<Record<string, RegExp>> = {
  customers: /^(contact|customer|portfolio|journey)/,
  sales: /^(quote|order|payment|refund|invoice|proForma|product|discount)/,
  inventory: /^inventory/,
  people: /^(member|role|team)/,
  work: /./,
};
const areaOf = ({ field }: Mutation) => Object.keys(AREAS).find((name) => AREAS[name]?.test(field));

export const mutations: readonly Area[] = Object.keys(AREAS).map((area) => ({
  name: `mutations-${area}`,
  cases: MUTATIONS.filter((mutation) => areaOf(mutation) === area).flatMap((mutation) => [done(mutation), lost(mutation)]),
}));
