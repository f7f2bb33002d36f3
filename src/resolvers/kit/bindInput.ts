import { invalidInput, ValidationError, type ValidationIssue } from '../../failures/failures.ts';
import { toWords } from '../../lib/words.ts';
import type { InputFields } from '../../schema/kit/builder.ts';
import { withArticle, withRawIds } from '../../schema/kit/globalIds.ts';
import {
  type Binder,
  type BoundField,
  type BoundFields,
  checkUnboundFields,
  createBinder,
  declareAll,
  type InputMembers,
  listIdTypes,
  listWireNames,
  selectBoundFields,
  toInputPath,
  toMessage,
  unbound,
} from '../../schema/kit/inputs.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';

type InputValues = Readonly<Record<string, unknown>>;

/** The input of a mutation, bound to the request of its operation. */
export interface InputBinding {
  /** The members that stand for fields of the request. */
  readonly fields: BoundFields;
  /** Declares the members, without the guards of the operation. */
  readonly declare: (t: InputFields) => ReturnType<typeof declareAll>;
  /** The type of each id in the input, by its path. */
  readonly ids: Readonly<Record<string, string>>;
  /** The member that names the record which is changed. */
  readonly subject: string | undefined;
  /** The member that holds the version which the record of `on` must have, beside the guard that operations with a version field have. */
  readonly versionMember: string | undefined;
  /** The members that null clears, in an update. */
  readonly clearable: readonly string[];
  /** The input with raw ids. Fails with ValidationError when an id is of another type, or has another owner. */
  readonly withRawIds: (input: InputValues) => InputValues;
  /** The request that an input with raw ids stands for. Fails with ValidationError for `OTHER`, and in an update for what cannot be cleared. */
  readonly toRequest: (input: InputValues) => Record<string, unknown>;
  /** A path of the request in the input's names. */
  readonly toInputPath: (path: readonly string[]) => string[];
}

interface BindOptions {
  readonly on: Pick<Entity<object>, 'name' | 'key' | 'createStub'> | undefined;
  /** Whether what is left out is to stay as it is. */
  readonly isPatch: boolean;
  /** Members of the input's own that stand for a field of the request, by its name there. */
  readonly names: Readonly<Record<string, string>>;
  /** Whether code makes the rest of the request. */
  readonly isCompleted: boolean;
}

/** The field of a request that names a record of this type. Fails at the start when none does, or several do. */
export function findIdField({ name, request }: AnyOperation, type: string): string {
  const [wire, ...others] = Object.keys(request.fields).filter((field) => request.fields[field]?.refers === type);
  if (wire === undefined || others.length > 0)
    throw new Error(`${name} must have exactly one field with ${withArticle(type)} ID, but has ${others.length + (wire ? 1 : 0)}.`);
  return wire;
}

/** The member for an id: `quoteId` where the request says `id` of a Quote. */
const toMemberName = (wire: string, type: string) => (wire === 'id' ? `${type.charAt(0).toLowerCase()}${type.slice(1)}Id` : wire);

/** The noun for a member that is an ID: `work order` for `workOrderId`. */
const toNoun = (member: string) => toWords(member.replace(/Id$/, ''));

/** The members with the id of the record that is changed in front, unless they have it. Several fields of the request may name it together. */
function addSubject(operation: AnyOperation, members: InputMembers, on: BindOptions['on']): [subject: string | undefined, InputMembers] {
  if (!on) return [undefined, members];
  if (on.key.length > 1) {
    const joint = toMemberName('id', on.name);
    return [joint, { [joint]: unbound('ID', `Global ID of the ${toNoun(joint)}.`, { required: true }), ...members }];
  }
  const wire = findIdField(operation, on.name);
  const bound = Object.entries(selectBoundFields(members)).find(([, bound]) => bound.wire === wire)?.[0];
  if (bound !== undefined) return [bound, members];
  const subject = toMemberName(wire, on.name);
  const bind = (createBinder(operation.request) as unknown as Readonly<Record<string, (description: string) => BoundField>>)[wire];
  if (!bind) throw new Error(`${operation.name} can’t be bound by ${wire}.`);
  return [subject, { [subject]: bind(`Global or raw ID of the ${toNoun(subject)}.`), ...members }];
}

/** Fails at the start when a request could never be sent, since nothing gives one of its fields. */
export function checkRequiredFields(
  { name, request, keyField, versionField }: AnyOperation,
  fields: BoundFields,
  jointly: readonly string[],
): void {
  const given = new Set([...listWireNames(fields), ...jointly, keyField, versionField]);
  const missing = Object.keys(request.fields).filter((wire) => request.fields[wire]?.required && !given.has(wire));
  if (missing.length > 0) throw new Error(`${name} requires ${missing.join(' and ')}.`);
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
const isNullOrEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

function findPatchIssues(name: string, value: unknown, { isClearable }: BoundField): readonly ValidationIssue[] {
  if (isClearable && isBlank(value)) return invalidInput([name], 'BLANK', 'must not be blank. Send null to clear it.').issues;
  if (!isClearable && isNullOrEmpty(value))
    return invalidInput([name], 'CANNOT_BE_CLEARED', 'can’t be cleared. Omit it to leave it unchanged.').issues;
  return [];
}

/** The input of an update with empty text, which clears, in place of null. Fails for null where nothing is known to clear, and for blank text. */
function clearNulls(fields: BoundFields, input: InputValues): InputValues {
  const given = Object.entries(fields).filter(([name]) => input[name] !== undefined);
  const issues = given.flatMap(([name, bound]) => findPatchIssues(name, input[name], bound));
  if (issues.length > 0) throw new ValidationError(issues);
  return { ...input, ...Object.fromEntries(given.map(([name]) => [name, input[name] ?? ''])) };
}

/** The fields of a request that name a record together, by its joint id. */
function splitJointId(on: NonNullable<BindOptions['on']>, id: string, member: string): object {
  const keys = on.createStub(id);
  if (on.key.some((name) => !(keys as InputValues)[name]))
    throw invalidInput([member], 'INVALID_FORMAT', `must be the \`id\` of ${withArticle(on.name)}.`);
  return keys;
}

/** Binds the input of a mutation to its operation: types, names, limits and ids follow from the contract. */
export function bindInput<Message extends MessageFields>(
  operation: AnyOperation & { readonly request: Message },
  membersOf: ((f: Binder<Message>) => InputMembers) | undefined,
  { on, isPatch, names, isCompleted }: BindOptions,
): InputBinding {
  const [subject, members] = addSubject(operation, membersOf?.(createBinder(operation.request)) ?? {}, on);
  const fields = selectBoundFields(members);
  const isJoint = on !== undefined && on.key.length > 1;
  if (!isCompleted) checkRequiredFields(operation, fields, isJoint ? on.key : []);
  const ids = { ...(isJoint && subject && { [subject]: on.name }), ...Object.fromEntries(listIdTypes(fields)) };
  return {
    fields,
    declare: (t) => declareAll(t, members),
    ids,
    subject,
    versionMember: on && Object.keys(fields).find((name) => fields[name]?.field.unit === 'VERSION'),
    clearable: Object.keys(fields).filter((name) => name !== subject && fields[name]?.isClearable),
    withRawIds: (input) => withRawIds(input, ids),
    toRequest: (input) => {
      checkUnboundFields(members, input);
      return {
        ...toMessage(fields, isPatch ? clearNulls(fields, input) : input, [], isPatch),
        ...(isJoint && subject && splitJointId(on, String(input[subject]), subject)),
      };
    },
    toInputPath: (path) =>
      toInputPath(
        fields,
        path.map((step, index) => (index === 0 ? (names[step] ?? step) : step)),
      ),
  };
}
