import type { Context } from '../../context.ts';
import {
  type Blocker,
  NotFoundError,
  RejectedError,
  TransitionBlockedError,
  ValidationError,
  VersionConflictError,
} from '../../failures/failures.ts';
import { type InputId, listInputIds, toGlobalId } from '../../schema/kit/globalIds.ts';
import { type Entity, getEntityByName } from '../../schema/kit/registry.ts';
import { brandRecord } from '../../schema/kit/subjects.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import type { InputBinding } from './bindInput.ts';
import type { Guards } from './guards.ts';

/** Reads that find out why a mutation is blocked. */
export interface BlockerSources {
  readonly on: Entity<object> | undefined;
  /** Without `on`, the record is an empty object. */
  readonly findBlockers?: (record: object) => Promise<readonly Blocker[]>;
}

/** Loads the record of a mutation. Null if it can't be read. */
export async function loadOrNull(entity: Entity<object>, id: string, context: Context): Promise<object | null> {
  try {
    return await entity.load(id, context);
  } catch {
    return null;
  }
}

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
async function addMissingId(
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

const isStateRejection = (error: unknown) =>
  error instanceof TransitionBlockedError ||
  error instanceof VersionConflictError ||
  error instanceof ValidationError ||
  error instanceof RejectedError;

/** Finds why a transition is blocked: by the record's state, otherwise by what `findBlockers` reads, otherwise by the upstream's error text. */
async function findTransitionBlockers(
  { message }: TransitionBlockedError,
  { on, findBlockers }: BlockerSources,
  record: object,
): Promise<readonly Blocker[]> {
  if (on?.state?.isTerminal?.(record)) return [{ code: 'WRONG_STATUS', message }];
  const found = (await findBlockers?.(record).catch(() => [])) ?? [];
  return found.length > 0 ? found : [{ code: 'OTHER', message }];
}

/** The error of a rehearsed write that the upstream would reject, as the records show. Undefined if they show no reason. */
export async function findRejection(
  { on, findBlockers }: BlockerSources,
  id: unknown,
  context: Context,
): Promise<TransitionBlockedError | undefined> {
  const record = on && findBlockers ? await loadOrNull(on, String(id), context) : {};
  const found = (record && (await findBlockers?.(record).catch(() => []))) ?? [];
  return found.length > 0 ? new TransitionBlockedError(found.map(({ message }) => message).join(' '), found) : undefined;
}

/** Adds details that the upstream didn't report to the error of a rejected mutation. */
export async function explainRejection(
  error: unknown,
  operation: AnyOperation,
  options: BlockerSources,
  { ids, subject, versionMember }: InputBinding,
  input: Guards & Readonly<Record<string, unknown>>,
  context: Context,
): Promise<unknown> {
  const { on } = options;
  if (error instanceof NotFoundError) return addMissingId(error, input, ids, subject, context);
  if (!on && error instanceof TransitionBlockedError) {
    const found = (await options.findBlockers?.({}).catch(() => [])) ?? [];
    return found.length > 0 ? new TransitionBlockedError(error.message, found) : error;
  }
  if (!on || !subject || !isStateRejection(error)) return error;
  const isFieldIssue = error instanceof ValidationError && error.issues.some(({ path }) => path.length > 0);
  const isTransition = error instanceof TransitionBlockedError && on.state !== undefined;
  const expected = input[operation.versionField ? 'expectedVersion' : (versionMember ?? '')];
  if (isFieldIssue || !(expected || isTransition)) return error;

  const record = await loadOrNull(on, String(input[subject]), context);
  const currentVersion = record && on.getVersion(record);
  const hasChanged = currentVersion !== null && currentVersion !== expected;
  if (expected && (hasChanged || error instanceof VersionConflictError)) {
    return new VersionConflictError(String(expected), currentVersion, record && brandRecord(on, record));
  }
  if (!(error instanceof TransitionBlockedError && on.state && record)) return error;
  const blockers = await findTransitionBlockers(error, options, record);
  return new TransitionBlockedError(error.message, blockers, on.state.getStatus(record) ?? null, brandRecord(on, record));
}

/** Converts a path of the request to a path of the input, including the guards. */
export function toGuardedPath(path: readonly string[], { keyField, versionField }: AnyOperation, bound: InputBinding): readonly string[] {
  const [wire, ...rest] = path;
  if (wire === keyField) return ['idempotencyKey', ...rest];
  return wire === versionField ? ['expectedVersion', ...rest] : bound.toInputPath(path);
}
