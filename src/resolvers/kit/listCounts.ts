import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import { ForbiddenError, UnsupportedError } from '../../failures/failures.ts';
import { all, compare, type IndexCondition } from '../../schema/search/conditions.ts';
import { sumCounts } from '../../schema/search/facets.ts';
import { MAX_VALUES } from '../../schema/search/inputs.ts';
import type { Index, MessageFields } from '../../upstream/contract/fields.ts';
import { enums } from '../../upstream/contract/generated/messages.ts';
import { checkUses, readCounts } from './indexQueries.ts';

/** Whether a member of a request is absent: it then has the default of its type. */
const isAbsent = ({ fields }: MessageFields, name: string, value: unknown): boolean =>
  value === '' || value === undefined || value === enums[fields[name]?.type ?? '']?.[0]?.name;

/** The columns by which an index matches the same records as a request, with their values. Null if it doesn't have all of them. */
function toValues({ columns, record }: Index, request: object): readonly (readonly [column: string, value: string])[] | null {
  const present = Object.entries(request).filter(([name, value]) => !isAbsent(record, name, value));
  const values = present.map(([name, value]) => [columns[name] ?? '', String(value)] as const);
  return values.every(([column]) => column !== '') ? values : null;
}

const matchAny = (column: string, values: readonly string[]): IndexCondition => compare(column, 'IN', ...values.map((text) => ({ text })));

/** Counts the rows of each owner with one query. Null if the key can't query the index, or if the workspace's index lacks a column. */
async function countByOwner(
  index: Index,
  ownerColumn: string | undefined,
  owners: readonly string[],
  conditions: readonly IndexCondition[],
  context: Context,
): Promise<readonly (number | null)[]> {
  const condition = all(...conditions, ...(ownerColumn === undefined ? [] : [matchAny(ownerColumn, owners)]));
  const columns = [...conditions.map(({ compare: each }) => each?.field ?? ''), ownerColumn ?? 'id'];
  const uses = columns.map((column) => ({ root: index.root, column, operator: 'ANALYTICS_OPERATOR_IN', path: ['totalCount'] }));
  try {
    // A member who can't read the catalog can't query the index either.
    if (!(await checkUses(index, uses, context))) return owners.map(() => null);
    if (ownerColumn === undefined) return [sumCounts(await readCounts(index, [], condition, context))];
    const { groups, requireColumn } = await readCounts(index, [ownerColumn], condition, context);
    requireColumn(ownerColumn);
    const byOwner = Map.groupBy(groups, ({ values }) => values.get(ownerColumn));
    return owners.map((owner) => sumCounts({ groups: byOwner.get(owner) ?? [], requireColumn }));
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof UnsupportedError) return owners.map(() => null);
    throw error;
  }
}

/**
 * Counts the rows of a list in an index that has all of its records, with one query for all owners whose lists differ in nothing else. `owner` is the request
 * field with the owner's ID. Null if the index can't express the request, or if it isn't available to the key.
 */
export async function countRows(index: Index, request: object, owner: string | undefined, context: Context): Promise<number | null> {
  const { [owner ?? '']: ownerId = '', ...rest } = request as Readonly<Record<string, string>>;
  const values = toValues(index, rest);
  const ownerColumn = owner === undefined ? undefined : index.columns[owner];
  if (!values || (owner !== undefined && ownerColumn === undefined)) return null;
  const conditions = values.map(([column, value]) => matchAny(column, [value]));
  return context.loaders
    .getKeyed(
      `counts of ${index.root} by ${owner} ${JSON.stringify(conditions)}`,
      () =>
        new DataLoader<string, number | null>((owners) => countByOwner(index, ownerColumn, owners, conditions, context), {
          maxBatchSize: MAX_VALUES,
          // The lists of an operation arrive one after the other.
          batchScheduleFn: (load) => void context.upstream.waitForReads().then(load),
        }),
    )
    .load(ownerId);
}
