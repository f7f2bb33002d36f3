import type { ObjectRef } from '@pothos/core';
import { toWords } from '../../lib/words.ts';
import type { Index } from '../../upstream/contract/fields.ts';
import type { AnalyticsResult } from '../../upstream/contract/generated/records.ts';
import { builder, type ObjectFields, type Types } from '../kit/builder.ts';
import type { WireEnum } from '../kit/enums.ts';
import { NULL_ONLY_WITH_ERROR } from '../kit/nullability.ts';
import { toCellRows } from './indexes.ts';

/** Number of rows with one combination of facet values. */
interface FacetGroup {
  /** Values by column. Null for rows without one. */
  readonly values: ReadonlyMap<string, string | null>;
  readonly count: number;
}

/** Counts of all rows that match a search. */
export interface Counts {
  readonly groups: readonly FacetGroup[];
  /** Throws if rows couldn't be counted by the values of a column. */
  readonly requireColumn: (column: string) => void;
}

/** Column of the counts in results. */
export const COUNT_COLUMN = 'count';

/** Converts a result with one group for each combination of the columns' values. */
export function toCounts(result: AnalyticsResult, columns: readonly string[], requireColumn: Counts['requireColumn']): Counts {
  const groups = toCellRows(result).map(({ getValue }) => ({
    values: new Map(columns.map((column) => [column, getValue(column)])),
    count: Number(getValue(COUNT_COLUMN) ?? 0),
  }));
  return { groups, requireColumn };
}

/** Returns the number of all rows. */
export const sumCounts = ({ groups }: Counts): number => groups.reduce((sum, { count }) => sum + count, 0);

/** Number of rows with one value. */
interface Facet {
  readonly value: string;
  readonly count: number;
}

/** Rows without a value aren't counted. */
function sumFacets({ groups, requireColumn }: Counts, column: string): readonly Facet[] {
  requireColumn(column);
  const sums = new Map<string, number>();
  for (const { values, count } of groups) {
    const value = values.get(column);
    if (typeof value === 'string') sums.set(value, (sums.get(value) ?? 0) + count);
  }
  return [...sums].map(([value, count]) => ({ value, count }));
}

/** What a search counts its rows by: a member of the record. */
export type FacetField = { readonly member: string; readonly description: string; readonly enum?: WireEnum<string, string> };
export type FacetFields = Readonly<Record<string, FacetField>>;

const COUNT = 'Number of matching records.';

const CurrencyFacet = builder.objectRef<Facet>('CurrencyFacet').implement({
  description: 'Number of records in a currency.',
  fields: (t) => ({
    currencyCode: t.field({ type: 'CurrencyCode', nullable: false, description: 'The currency.', resolve: ({ value }) => value }),
    count: t.exposeInt('count', { nullable: false, description: COUNT }),
  }),
});

const enumFacets = new Map<string, ObjectRef<Types, Facet>>();

/** Defines the facet of an enum, such as `OrderStatusFacet`, once. */
function defineEnumFacet({ ref, fromWire, toText }: WireEnum<string, string>, member: string): ObjectRef<Types, Facet> {
  const { name } = ref;
  const known = enumFacets.get(name);
  if (known) return known;
  const facet = builder.objectRef<Facet>(`${name}Facet`).implement({
    description: `Number of records by their ${toWords(member)}.`,
    fields: (t: ObjectFields<Facet>) => ({
      [member]: t.field({ type: ref, nullable: false, description: 'The value.', resolve: ({ value }) => fromWire(value) ?? 'OTHER' }),
      [`${member}Text`]: t.string({
        description: `Raw value of \`${member}\` from the Workspace API. Useful if \`${member}\` is \`OTHER\`.`,
        resolve: ({ value }) => toText(value),
      }),
      count: t.exposeInt('count', { nullable: false, description: COUNT }),
    }),
  });
  enumFacets.set(name, facet);
  return facet;
}

/** Defines the facets of a search, such as `OrderSearchFacets`. */
export function defineFacets(name: string, { columns }: Index, facets: FacetFields): ObjectRef<Types, Counts> {
  return builder.objectRef<Counts>(`${name}Facets`).implement({
    description: 'Numbers of matching records by value, on all pages.',
    extensions: NULL_ONLY_WITH_ERROR,
    fields: (t: ObjectFields<Counts>) =>
      Object.fromEntries(
        Object.entries(facets).map(([field, { member, description, enum: wireEnum }]) => [
          field,
          t.field({
            type: [wireEnum ? defineEnumFacet(wireEnum, member) : CurrencyFacet],
            nullable: false,
            description,
            resolve: (counts) => sumFacets(counts, columns[member] ?? ''),
          }),
        ]),
      ),
  });
}
