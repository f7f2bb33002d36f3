import type { Context } from '../../context.ts';
import { NotFoundError } from '../../failures/failures.ts';
import { type InputId, listInputIds, toGlobalId } from '../../schema/kit/globalIds.ts';
import { getEntityByName } from '../../schema/kit/registry.ts';

const escapeRegExp = (text: string) => text.replace(/[^\w-]/g, '\\$&');

/** Whether the message contains the ID as a separate word. Without this, a short ID could match part of another word. */
const mentions = (message: string, id: string) => new RegExp(`(?<![\\w-])${escapeRegExp(id)}(?![\\w-])`).test(message);

const removeDuplicates = (ids: readonly InputId[]): InputId[] => [
  ...new Map(ids.toReversed().map((each) => [`${each.type} ${each.id}`, each])).values(),
];

/** Reads a record to check whether it's missing. Undefined if it can't be read. */
async function isRecordMissing({ type, id }: InputId, context: Context): Promise<boolean | undefined> {
  return getEntityByName(type)
    ?.load(id, context)
    .then(
      (record) => record === null,
      () => undefined,
    );
}

/**
 * Finds the ID of the missing record: the input's only ID, the one that the upstream's message mentions, or that of the changed record. Verifies the last two
 * by reading if possible, because a message can mention a record that exists.
 */
async function findMissing(ids: readonly InputId[], message: string, subject: string | undefined, context: Context) {
  const candidates = removeDuplicates(ids);
  if (candidates.length === 1) return candidates[0];
  const named = candidates.filter(({ id }) => mentions(message, id));
  const [only] = named;
  if (named.length === 1 && only && (await isRecordMissing(only, context)) !== false) return only;
  const changed = candidates.find(({ path }) => path.join('.') === subject);
  return changed && changed !== only && (await isRecordMissing(changed, context)) === true ? changed : undefined;
}

/** Adds the missing record's ID and its path in the input to the error. `subject` is the input field with the ID of the changed record. */
export async function addMissingId(
  error: NotFoundError,
  input: object,
  types: Readonly<Record<string, string>>,
  subject: string | undefined,
  context: Context,
): Promise<NotFoundError> {
  const missing = await findMissing(listInputIds(input, types), error.message, subject, context);
  if (!missing) return error;
  const isJoint = (getEntityByName(missing.type)?.key.length ?? 1) > 1;
  return new NotFoundError(error.message, isJoint ? toGlobalId(missing.type, missing.id) : missing.id, missing.path);
}
