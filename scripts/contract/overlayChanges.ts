import { Contract } from '../../src/upstream/contract/contract.ts';
import type { MessageFields } from '../../src/upstream/contract/fields.ts';
import { enums, indexes } from '../../src/upstream/contract/generated/messages.ts';
import { ExecuteQuery, operations } from '../../src/upstream/contract/generated/operations.ts';
import { getEnumPrefix, messages, type Overlay, wireNames } from '../../src/upstream/contract/overlay.ts';

const formatValue = (value: unknown) => (value === undefined ? 'none' : String(value));

/** Every path, policy, and size that an overlay changes, as lines of text. */
function listOperationChanges(overlay: Overlay): string[] {
  const contract = new Contract(overlay);
  const { sortDirection } = contract;
  const sorting = sortDirection === 'TYPED' ? [] : [`${ExecuteQuery.name} sortDirection: TYPED -> ${sortDirection}`];
  const changes = operations.flatMap((operation) => {
    const corrected = contract.getOperation(operation);
    const members = ['path', 'effect', 'keyField'] as const;
    const own = members.filter((member) => operation[member] !== corrected[member]);
    const sizes = (['defaultSize', 'maxSize', 'maxPage'] as const).filter((size) => operation.page?.[size] !== corrected.page?.[size]);
    const covers = [operation, corrected].map(({ cover, parts }) => cover?.list ?? (parts && `by ${parts.owners.join(', ')}`));
    return [
      ...(covers[0] === covers[1] ? [] : [`${operation.name} cover: ${covers.map(formatValue).join(' -> ')}`]),
      ...own.map((member) => `${operation.name} ${member}: ${formatValue(operation[member])} -> ${formatValue(corrected[member])}`),
      ...sizes.map(
        (size) => `${operation.name} page ${size}: ${formatValue(operation.page?.[size])} -> ${formatValue(corrected.page?.[size])}`,
      ),
    ];
  });
  return [...changes, ...sorting];
}

const listFieldChanges = (message: MessageFields, overlay: Overlay): string[] =>
  [...wireNames(message, overlay)].filter(([name, wire]) => name !== wire).map(([name, wire]) => `${message.name}.${name}: ${wire}`);

/** Names of the analytics catalog that differ, as lines of text. */
function listIndexChanges({ indexes: overlays }: Overlay): string[] {
  return Object.keys(indexes).flatMap((root) => {
    const overlay = overlays[root];
    if (overlay === null) return [`index ${root}: none`];
    const { root: name, columns = {}, relationships = {} } = overlay ?? {};
    return [
      ...(name === undefined ? [] : [`index ${root}: ${name}`]),
      ...Object.entries(columns).map(([column, wire]) => `index ${root}.${column}: ${formatValue(wire ?? undefined)}`),
      ...Object.entries(relationships).map(([each, wire]) => `index ${root}, relationship ${each}: ${formatValue(wire ?? undefined)}`),
    ];
  });
}

/** Everything that an overlay changes in the contract, as lines of text. */
export function listOverlayChanges(overlay: Overlay): string[] {
  const values = Object.entries(overlay.enums).flatMap(([name, { prefix, words: own = {} }]) =>
    (enums[name] ?? []).map((value) => {
      const wire = own[value.name] ?? (prefix === undefined ? value.name : prefix + value.name.slice(getEnumPrefix(name).length));
      return `${name} ${value.name}: ${wire}`;
    }),
  );
  const fields = [...messages.values()].flatMap((message) => listFieldChanges(message, overlay));
  return [...listOperationChanges(overlay), ...fields, ...values, ...listIndexChanges(overlay)];
}
