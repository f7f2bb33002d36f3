import type { Context } from '../../context.ts';
import { NotFoundError } from '../../failures/failures.ts';
import { type InputId, listInputIds, toGlobalId } from '../../schema/kit/globalIds.ts';
import { getEntityByName } from '../../schema/kit/registry.ts';

const escapeRegExp = (text: string) => text.replace(/[^\w-]/g, '\\$&');

/** Whether a message names an id: as a word of its own, since ids may be short. */
const mentions = (message: string, id: string) => new RegExp(`(?<![\\w-])${escapeRegExp(id)}(?![\\w-])`).test(message);

const removeDuplicates = (ids: readonly InputId[]): InputId[] => [
  ...new Map(ids.toReversed().map((each) => [`${each.type} ${each.id}`, each])).values(),
];

/** Whether there is no such record, which is found out by reading; undefined where that cannot be told. */
async function isRecordMissing({ type, id }: InputId, context: Context): Promise<boolean | undefined> {
  return getEntityByName(type)
    ?.load(id, context)
    .then(
      (record) => record === null,
      () => undefined,
    );
}

/**
 * Which of the ids in an input is the one that is missing: the only one, the one that the upstream's message names, or that of the record that is
 * changed. What can be read is read, since a message may name a record that is there.
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

/** The failure with the id that is missing, and where in the input it stands. `subject` is the field of the record that is changed. */
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
