import { UnsupportedError } from '../../failures/failures.ts';
import type { ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import type { IndexUse } from './filters.ts';

/** Whether the catalog has a column with its operator, or a relationship. A catalog that lists no operators declares none. */
function isSupported({ root, column, operator, relationship }: IndexUse, { entities }: ListCatalogResponse): boolean {
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

/** Throws UnsupportedError if the catalog lacks something that a search uses. */
export function checkCatalog(uses: readonly IndexUse[], catalog: ListCatalogResponse): void {
  const missing = uses.find((use) => !isSupported(use, catalog));
  if (!missing) return;
  const argument = missing.path.length > 0 ? `, which \`${missing.path.join('.')}\` needs. Leave it out` : ', which this search needs';
  throw new UnsupportedError(`The analytics catalog of the workspace doesn’t contain ${describeUse(missing)}${argument}.`);
}
