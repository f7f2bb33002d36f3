import { Contract } from '../src/upstream/contract/contract.ts';
import type { MessageFields } from '../src/upstream/contract/fields.ts';
import { enums } from '../src/upstream/contract/generated/messages.ts';
import { operations } from '../src/upstream/contract/generated/operations.ts';
import { messages, type Overlay, prefixOf, wireNames } from '../src/upstream/contract/overlay.ts';

const textOf = (value: unknown) => (value === undefined ? 'none' : String(value));

/** Every path, policy and size that an overlay changes, as lines for people. */
function changedOperations(overlay: Overlay): string[] {
  const contract = new Contract(overlay);
  return operations.flatMap((operation) => {
    const corrected = contract.of(operation);
    const members = ['path', 'effect', 'keyField'] as const;
    const own = members.filter((member) => operation[member] !== corrected[member]);
    const sizes = (['defaultSize', 'maxSize', 'maxPage'] as const).filter((size) => operation.page?.[size] !== corrected.page?.[size]);
    const covers = [operation, corrected].map(({ cover, parts }) => cover?.list ?? (parts && `by ${parts.of}`));
    return [
      ...(covers[0] === covers[1] ? [] : [`${operation.name} cover: ${covers.map(textOf).join(' -> ')}`]),
      ...own.map((member) => `${operation.name} ${member}: ${textOf(operation[member])} -> ${textOf(corrected[member])}`),
      ...sizes.map((size) => `${operation.name} page ${size}: ${textOf(operation.page?.[size])} -> ${textOf(corrected.page?.[size])}`),
    ];
  });
}

const changedFields = (message: MessageFields, overlay: Overlay): string[] =>
  [...wireNames(message, overlay)].filter(([name, wire]) => name !== wire).map(([name, wire]) => `${message.name}.${name}: ${wire}`);

/** All that an overlay changes of the contract, a line each. */
export function changesOf(overlay: Overlay): string[] {
  const words = Object.entries(overlay.enums).flatMap(([name, { prefix, words: own = {} }]) =>
    (enums[name] ?? []).map((word) => {
      const wire = own[word.name] ?? (prefix === undefined ? word.name : prefix + word.name.slice(prefixOf(name).length));
      return `${name} ${word.name}: ${wire}`;
    }),
  );
  return [...changedOperations(overlay), ...[...messages.values()].flatMap((message) => changedFields(message, overlay)), ...words];
}
