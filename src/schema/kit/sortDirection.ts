import { builder } from './builder.ts';
import { describeValues } from './enums.ts';

/** A sort direction. Rows without a value come last in both directions. It isn't part of responses, so it has no `OTHER`. */
export const SortDirection = builder.enumType('SortDirection', {
  description: 'A sort direction. Rows without a value come last in both directions.',
  values: describeValues({ ASC: 'Ascending.', DESC: 'Descending.' }),
});
