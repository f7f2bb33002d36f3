import { UnsupportedError } from '../../failures/failures.ts';
import type { Index } from '../../upstream/contract/fields.ts';
import type { ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import type { WireIndexes } from '../../upstream/contract/wireIndexes.ts';
import type { IndexUse } from './filters.ts';
import { getIndex } from './indexes.ts';

/** Whether the catalog has a column with its operator, or a relationship. A catalog that lists no operators declares none. */
export function isInCatalog({ root, column, operator, relationship }: IndexUse, { entities }: ListCatalogResponse): boolean {
  const entity = entities.find(({ name }) => name === root);
  if (!entity) return false;
  if (relationship !== undefined) return entity.relationships.some(({ name }) => name === relationship);
  const field = entity.fields.find(({ name }) => name === column);
  if (!field) return false;
  const declaresOperators = entity.fields.some(({ operators }) => operators.length > 0);
  return operator === undefined || !declaresOperators || field.operators.some((each) => each === operator);
}

const describeUse = ({ root, column, operator, relationship }: IndexUse): string => {
  if (relationship !== undefined) return `the relationship ${relationship} of ${root}`;
  return operator === undefined
    ? `${root}.${column}`
    : `${root}.${column} with the operator ${operator.replace('ANALYTICS_OPERATOR_', '')}`;
};

const describeNeed = ({ path }: IndexUse) =>
  path.length > 0 ? `, which \`${path.join('.')}\` needs. Leave it out` : ', which this search needs';

/** Throws UnsupportedError if the catalog lacks something that a search uses. Both are in the upstream's names. */
export function checkCatalog(uses: readonly IndexUse[], catalog: ListCatalogResponse): void {
  const missing = uses.find((use) => !isInCatalog(use, catalog));
  if (missing)
    throw new UnsupportedError(`The analytics catalog of the workspace doesn’t contain ${describeUse(missing)}${describeNeed(missing)}.`);
}

/** Why the overlay rules out a column or relationship, as a clause. Undefined if it doesn't. */
function findCorrection({ root, column, relationship }: IndexUse, indexes: WireIndexes): string | undefined {
  const index = indexes.get(root);
  if (!index) return `switches ${root} off`;
  if (column !== undefined) return index.columns.has(column) ? undefined : `removes ${root}.${column}`;
  if (relationship === undefined) return undefined;
  if (!index.relationships.has(relationship)) return `removes the relationship ${relationship} of ${root}`;
  const target = getIndex(root).relationships[relationship] ?? '';
  return indexes.get(target) ? undefined : `switches ${target} off`;
}

/** Throws UnsupportedError if the overlay rules out a search, or something that it uses. */
export function checkCorrections({ root }: Index, uses: readonly IndexUse[], indexes: WireIndexes): void {
  for (const use of [{ root, path: [] }, ...uses]) {
    const correction = findCorrection(use, indexes);
    if (correction === undefined) continue;
    const subject = use.path.length > 0 ? `\`${use.path.join('.')}\`` : 'This search';
    throw new UnsupportedError(`${subject} isn’t available, because the contract overlay of this server ${correction}.`);
  }
}

/** Converts what a search uses to the upstream's names, after `checkCorrections`. */
export const toWireUse = (use: IndexUse, indexes: WireIndexes): IndexUse => {
  const { root, columns, relationships } = indexes.require(use.root);
  const { column, relationship } = use;
  return {
    ...use,
    root,
    ...(column !== undefined && { column: columns.get(column)?.name ?? column }),
    ...(relationship !== undefined && { relationship: relationships.get(relationship) ?? relationship }),
  };
};

/** Whether the upstream has a column: according to the overlay, and to the catalog if there is one. */
export function isKnownColumn({ root }: Index, column: string, catalog: ListCatalogResponse | null, indexes: WireIndexes): boolean {
  if (!indexes.get(root)?.columns.has(column)) return false;
  return catalog === null || isInCatalog(toWireUse({ root, column, path: [] }, indexes), catalog);
}
