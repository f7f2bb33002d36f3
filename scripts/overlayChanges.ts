import { Contract } from '../src/upstream/contract/contract.ts';
import type { MessageFields } from '../src/upstream/contract/fields.ts';
import { enums } from '../src/upstream/contract/generated/messages.ts';
import { operations } from '../src/upstream/contract/generated/operations.ts';
import { getEnumPrefix, messages, type Overlay, wireNames } from '../src/upstream/contract/overlay.ts';

const formatValue = (value: unknown) => (value === undefined ? 'none' : String(value));

/** Every path, policy, and size that an overlay changes, as lines of text. */
function listOperationChanges(overlay: Overlay): string[] {
  const contract = new Contract(overlay);
  return operations.flatMap((operation) => {
    const corrected = contract.getOperation(operation);
    const members = ['path', 'effect', 'keyField'] as const;
    const own = members.filter((member) => operation[member] !== corrected[member]);
    const sizes = (['defaultSize', 'maxSize', 'maxPage'] as const).filter((size) => operation.page?.[size] !== corrected.page?.[size]);
    const covers = [operation, corrected].map(({ cover, parts }) => cover?.list ?? (parts && `by ${parts.of}`));
    return [
      ...(covers[0] === covers[1] ? [] : [`${operation.name} cover: ${covers.map(formatValue).join(' -> ')}`]),
      ...own.map((member) => `${operation.name} ${member}: ${formatValue(operation[member])} -> ${formatValue(corrected[member])}`),
      ...sizes.map(
        (size) => `${operation.name} page ${size}: ${formatValue(operation.page?.[size])} -> ${formatValue(corrected.page?.[size])}`,
      ),
    ];
  });
}

const listFieldChanges = (message: MessageFields, overlay: Overlay): string[] =>
  [...wireNames(message, overlay)].filter(([name, wire]) => name !== wire).map(([name, wire]) => `${message.name}.${name}: ${wire}`);

/** Everything that an overlay changes in the contract, as lines of text. */
export function listOverlayChanges(overlay: Overlay): string[] {
  const values = Object.entries(overlay.enums).flatMap(([name, { prefix, words: own = {} }]) =>
    (enums[name] ?? []).map((value) => {
      const wire = own[value.name] ?? (prefix === undefined ? value.name : prefix + value.name.slice(getEnumPrefix(name).length));
      return `${name} ${value.name}: ${wire}`;
    }),
  );
  return [...listOperationChanges(overlay), ...[...messages.values()].flatMap((message) => listFieldChanges(message, overlay)), ...values];
}
