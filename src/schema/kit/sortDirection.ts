import { builder } from './builder.ts';
import { describeValues } from './enums.ts';

/** A sort direction. It isn't part of responses, so it has no `OTHER`. */
export const SortDirection = builder.enumType('SortDirection', {
  description: 'A sort direction.',
  values: describeValues({ ASC: 'Ascending.', DESC: 'Descending.' }),
});
