import { invalidInput } from '../../failures/failures.ts';
import { toWords } from '../../lib/words.ts';
import type { WireEnum, WireEnumValue } from '../../schema/kit/enums.ts';
import type { Binder, InputMembers } from '../../schema/kit/inputs.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';
import type { AnyOperation, Operation } from '../../upstream/contract/operation.ts';
import type { ListRow } from '../../upstream/contract/rows.ts';
import { ARGUMENT, declareFilter, type ListFilter } from './filters.ts';
import { ASSUMED_ROWS, type Criteria, getConditions } from './listCriteria.ts';
import { StatusCondition } from './statusCondition.ts';

interface StatusCriteriaOptions<Message extends MessageFields, Record> {
  readonly status: WireEnum<string, string>;
  /** Sort value of a row. See the option of `list` with the same name. */
  readonly sortedBy: (row: Record) => number | undefined;
  /** What to do if the list is too long, as a sentence. */
  readonly alternative: string;
  /** Declares the conditions other than those on the status. The upstream applies them. */
  readonly conditions?: (f: Binder<Message>) => InputMembers;
}

/**
 * Defines the filter of a list that the upstream filters by one status: the options `filter`, `criteria` and `sortedBy` of the list. For several statuses, the
 * list is read as a whole and filtered in memory, because pages of several lists can't be merged without gaps.
 */
export function defineStatusCriteria<Message extends MessageFields, Response>(
  operation: Operation<never, Response> & AnyOperation & { readonly request: Message },
  { name }: { readonly name: string },
  { status, sortedBy, alternative, conditions }: StatusCriteriaOptions<Message, ListRow<Response>>,
): {
  readonly filter: ListFilter<object>;
  readonly criteria: Criteria<ListRow<Response>>;
  readonly sortedBy: (row: ListRow<Response>) => number | undefined;
} {
  const nouns = toWords(operation.page?.items ?? '');
  const condition = new StatusCondition(status, operation.request);
  const cost = `More than one requires reading the whole list, with one upstream call per 100 ${nouns}.`;
  return {
    filter: declareFilter(operation, { name }, (f) => ({ ...conditions?.(f), ...condition.bindMembers(nouns, cost) })),
    sortedBy,
    criteria: {
      countRows: (args) => (condition.needsWholeList(getConditions(args)) ? ASSUMED_ROWS : undefined),
      compile: (args) => {
        const statuses = condition.getStatuses(getConditions(args));
        if (!condition.needsWholeList(getConditions(args))) return undefined;
        return {
          key: { statuses: statuses && [...statuses].sort() },
          refine: (rows) =>
            rows.filter((row) => condition.isMatch(statuses, (row as unknown as { readonly status: WireEnumValue }).status)),
          getRank: sortedBy,
          createTooLongError: (maxRows) =>
            invalidInput(
              [ARGUMENT, 'statuses'],
              'OUT_OF_RANGE',
              `requires reading the whole list of ${nouns}, but it has more than ${maxRows}. ${alternative}`,
              maxRows,
            ),
        };
      },
    },
  };
}
