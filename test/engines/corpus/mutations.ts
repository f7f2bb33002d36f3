import { createValidInput, type Input } from '../../support/contract/inputs.ts';
import { MUTATIONS, type Mutation } from '../../support/contract/mutations.ts';
import { type Area, type Case, NamedRecords, post } from './case.ts';

/** Replaces each string of the input with a blank one. */
function blankStrings(value: unknown): unknown {
  if (typeof value === 'string') return ' ';
  if (Array.isArray(value)) return value.map(blankStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, blankStrings(member)]));
}

/**
 * A mutation that is rejected for several reasons, one that succeeds, its repeat, another input with its key, one whose response is lost after it was applied,
 * and its repeat.
 */
const createMutationCase = (mutation: Mutation): Case => ({
  title: mutation.title,
  steps: async (sandbox) => {
    const createInput = (mark: string): Promise<Input> =>
      createValidInput(mutation.field, mutation.input, mutation.variant, new NamedRecords(sandbox, mark.replaceAll(' ', '-')));
    const idempotencyKey = `key of ${mutation.title}`;
    const input = { ...(await createInput(mutation.title)), idempotencyKey };
    const other = { ...(await createInput(`other ${mutation.title}`)), idempotencyKey };
    const lost = { ...(await createInput(`lost ${mutation.title}`)), idempotencyKey: `lost ${idempotencyKey}` };
    const step = (title: string, given: unknown, key?: string) => ({
      title: `${mutation.title} ${title}`,
      request: post(mutation.document, { input: given }, key),
    });
    return [
      step('without input fields', {}),
      step('with blank strings', { ...(blankStrings(input) as Input), idempotencyKey }),
      step('without its scope', input, 'demo-warehouse'),
      step('without its role', input, 'demo-restricted'),
      ...(mutation.operation.versionField === undefined ? [] : [step('at another version', { ...input, expectedVersion: '99' })]),
      step('done', input),
      step('repeated', input),
      step('with another input under the key', other),
      { ...step('whose response is lost', lost), faults: [{ operation: mutation.operation.name, cut: 'after' as const }] },
      step('repeated after a lost response', lost),
    ];
  },
});

/** The first segments of the names of an area's mutations. */
const AREAS: Readonly<Record<string, RegExp>> = {
  customers: /^(contact|customer|portfolio|journey)/,
  sales: /^(quote|order|payment|refund|invoice|proForma|product|discount)/,
  inventory: /^inventory/,
  people: /^(member|role|team)/,
  work: /./,
};
const findArea = ({ field }: Mutation) => Object.keys(AREAS).find((name) => AREAS[name]?.test(field));

export const mutations: readonly Area[] = Object.keys(AREAS).map((area) => ({
  name: `mutations-${area}`,
  cases: MUTATIONS.filter((mutation) => findArea(mutation) === area).map(createMutationCase),
}));
