import type { InputObjectRef } from '@pothos/core';
import { invalidInput } from '../../failures/failures.ts';
import { toWords } from '../../lib/words.ts';
import type { Types } from '../../schema/kit/builder.ts';
import { withRawIds } from '../../schema/kit/globalIds.ts';
import {
  type Binder,
  type BoundFields,
  checkUnboundFields,
  createBinder,
  defineInputType,
  type InputMembers,
  listIdTypes,
  type ShapeOf,
  selectBoundFields,
  toInputPath,
  toMessage,
} from '../../schema/kit/inputs.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';

/** Name of the argument that contains a list's filter. */
export const ARGUMENT = 'filter';

/** Filter input of a list, bound to the request of the list operation. */
export interface ListFilter<Shape> {
  readonly ref: InputObjectRef<Types, Shape>;
  readonly fields: BoundFields;
  /**
   * Converts a filter to fields of the request. An empty filter lists everything. Throws ValidationError for an ID of another type, `OTHER`, and blank text.
   */
  readonly toRequest: (filter: Partial<Shape>) => Record<string, unknown>;
  /** Converts a path of the request to a path of the list's arguments. Returns paths outside the filter unchanged. */
  readonly toArgumentPath: (path: readonly string[]) => readonly string[];
}

/** Rejects blank text, because the upstream would ignore it and return everything. */
function rejectBlankValues(fields: BoundFields, filter: Readonly<Record<string, unknown>>): void {
  for (const [name, { field }] of Object.entries(fields)) {
    const value = filter[name];
    if (field.kind === 'string' && !field.refers && typeof value === 'string' && value.trim() === '')
      throw invalidInput([ARGUMENT, name], 'BLANK', 'must not be blank. Omit it to list everything.');
  }
}

/**
 * Declares the filter input of a type, such as `QuoteFilterInput` for all lists of quotes. It doesn't include text search, which is the `query` argument. A
 * field that isn't sent as is must be `unbound`; the list's `request` then derives request fields from it.
 */
export function declareFilter<Message extends MessageFields, const Members extends InputMembers>(
  operation: AnyOperation & { readonly request: Message },
  { name }: { readonly name: string },
  bindMembers: (f: Binder<Message>) => Members,
): ListFilter<Partial<ShapeOf<Members>>> {
  const members = bindMembers(createBinder(operation.request));
  const fields = selectBoundFields(members);
  const ids = Object.fromEntries(listIdTypes(fields, [ARGUMENT]));
  // Unbound fields have the names of the request fields that the list derives from them.
  const names = new Set<string | undefined>(Object.entries(members).map(([name]) => fields[name]?.wireName ?? name));
  return {
    ref: defineInputType(
      `${name}FilterInput`,
      { description: `Filters for ${toWords(operation.page?.items ?? '')}. Conditions are combined with AND.` },
      members,
    ),
    fields,
    toRequest: (filter) => {
      rejectBlankValues(fields, filter);
      checkUnboundFields(members, filter, [ARGUMENT]);
      const raw = withRawIds({ [ARGUMENT]: filter }, ids) as { readonly [ARGUMENT]: object };
      return toMessage(fields, raw[ARGUMENT], [ARGUMENT]);
    },
    toArgumentPath: (path) => (names.has(path[0]) ? [ARGUMENT, ...toInputPath(fields, path)] : path),
  };
}

/** Returns the parent's ID for the request. Throws ValidationError if the filter contains a different ID. */
export function requireParentId(parentId: string, type: string, filtered: unknown, name: string): string {
  if (filtered && filtered !== parentId)
    throw invalidInput(
      [ARGUMENT, name],
      'NOT_ALLOWED',
      `must be the ID of the parent ${type}, or be omitted. To list those of another ${type}, use its own field or the root field.`,
    );
  return parentId;
}
