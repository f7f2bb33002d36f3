import { type GraphQLNamedType, getNamedType, getNullableType, isCompositeType, isListType, isObjectType } from 'graphql';
import type { CostExtensions, ListSizes } from '../kit/costExtensions.ts';
import type { OutputField } from '../kit/fieldAnnotations.ts';
import { DEFAULT_SIZE, MAX_SIZE } from '../paging/window.ts';

/** Assumed length of a list that isn't a connection, such as the lines of a quote. Chosen. */
export const ASSUMED_LIST_SIZE = 10;

/** Arguments with the page size. */
export const SIZE_ARGUMENTS = ['first', 'last'] as const;

export const isList = ({ type }: OutputField): boolean => isListType(getNullableType(type));

/** Whether a field is a paginated connection. */
export const isPaged = ({ args }: OutputField): boolean => SIZE_ARGUMENTS.every((name) => args.some((arg) => arg.name === name));

/** Whether a type is a connection. */
const isPage = (type: GraphQLNamedType): boolean => isObjectType(type) && 'pageInfo' in type.getFields();

/** Assumed number of objects in a field if its arguments don't specify it. Null if the field isn't a list of objects. */
export function getAssumedSize(parent: GraphQLNamedType, field: OutputField): number | null {
  if (isPaged(field)) return DEFAULT_SIZE;
  // Counted with the page.
  if (isPage(parent)) return null;
  if (!isList(field) || !isCompositeType(getNamedType(field.type))) return null;
  return (field.extensions as CostExtensions).assumedSize ?? ASSUMED_LIST_SIZE;
}

/** Lists of a connection that contain its rows. */
export const ROW_LISTS = ['edges', 'nodes'] as const;

/** Returns the page size that the arguments request. */
export function getRequestedRows({ first, last }: Readonly<Record<string, unknown>>): number {
  const requested = first ?? last;
  return typeof requested === 'number' ? Math.min(Math.max(requested, 0), MAX_SIZE) : DEFAULT_SIZE;
}

/** Returns the lengths of lists in a field's object, by field name, as far as the arguments determine them. */
export function getListSizes(field: OutputField, args: Readonly<Record<string, unknown>>): ListSizes {
  if (!isPaged(field)) return (field.extensions as CostExtensions).countListItems?.(args) ?? {};
  const rows = getRequestedRows(args);
  return Object.fromEntries(ROW_LISTS.map((name) => [name, rows]));
}
