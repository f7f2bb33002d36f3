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

/** A mutation's input, bound to the request of its operation. */
export interface InputBinding {
  /** The input's fields that are bound to fields of the request. */
  readonly fields: BoundFields;
  /** Declares the input fields, without the operation's guards. */
  readonly declare: (t: InputFields) => ReturnType<typeof declareAll>;
  /** Type of each ID in the input, by path. */
  readonly ids: Readonly<Record<string, string>>;
  /** The input field with the ID of the record that the mutation changes. */
  readonly subject: string | undefined;
  /** The input field with the expected version of the `on` record, for operations without a version field of their own. */
  readonly versionMember: string | undefined;
  /** Input fields of an update that can be cleared with null. */
  readonly clearable: readonly string[];
  /** Converts global IDs to raw IDs. Throws ValidationError if an ID has another type or owner. */
  readonly withRawIds: (input: InputValues) => InputValues;
  /** Builds the request from an input with raw IDs. Throws ValidationError for `OTHER`, and in an update for null in fields that can't be cleared. */
  readonly toRequest: (input: InputValues) => Record<string, unknown>;
  /** Converts a path of the request to a path of the input. */
  readonly toInputPath: (path: readonly string[]) => string[];
}

interface BindOptions {
  readonly on: Pick<Entity<object>, 'name' | 'key' | 'createStub'> | undefined;
  /** Whether omitted fields stay unchanged. */
  readonly isPatch: boolean;
  /** Unbound input fields that replace a request field, by the name of that field. */
  readonly names: Readonly<Record<string, string>>;
  /** Whether the mutation's `request` function sets the remaining fields of the request. */
  readonly isCompleted: boolean;
}

/** Finds the request field that contains the ID of a record of this type. Throws at startup if there is none or more than one. */
export function findIdField({ name, request }: AnyOperation, type: string): string {
  const [wire, ...others] = Object.keys(request.fields).filter((field) => request.fields[field]?.refers === type);
  if (wire === undefined || others.length > 0)
    throw new Error(`${name} must have exactly one field with ${withArticle(type)} ID, but has ${others.length + (wire ? 1 : 0)}.`);
  return wire;
}

/** Name of the input field for an ID: `quoteId` if the request has the `id` of a Quote. */
const toMemberName = (wire: string, type: string) => (wire === 'id' ? `${type.charAt(0).toLowerCase()}${type.slice(1)}Id` : wire);

/** Noun for an ID field: `work order` for `workOrderId`. */
const toNoun = (member: string) => toWords(member.replace(/Id$/, ''));

/** Prepends the ID of the changed record, unless the input has it. A joint ID stands for several fields of the request. */
function addSubject(operation: AnyOperation, members: InputMembers, on: BindOptions['on']): [subject: string | undefined, InputMembers] {
  if (!on) return [undefined, members];
  if (on.key.length > 1) {
    const joint = toMemberName('id', on.name);
    return [joint, { [joint]: unbound('ID', `Global ID of the ${toNoun(joint)}.`, { required: true }), ...members }];
  }
  const wire = findIdField(operation, on.name);
  const bound = Object.entries(selectBoundFields(members)).find(([, bound]) => bound.wireName === wire)?.[0];
  if (bound !== undefined) return [bound, members];
  const subject = toMemberName(wire, on.name);
  const bind = (createBinder(operation.request) as Readonly<Record<string, (description: string) => BoundField>>)[wire];
  if (!bind) throw new Error(`${operation.name} can’t be bound by ${wire}.`);
  return [subject, { [subject]: bind(`Global or raw ID of the ${toNoun(subject)}.`), ...members }];
}

/** Throws at startup if the input doesn't set a required field of the request. */
export function checkRequiredFields(
  { name, request, keyField, versionField }: AnyOperation,
  fields: BoundFields,
  jointly: readonly string[],
): void {
  const set = new Set([...listWireNames(fields), ...jointly, keyField, versionField]);
  const missing = Object.keys(request.fields).filter((wire) => request.fields[wire]?.required && !set.has(wire));
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

/** Replaces null with empty text, which clears a field. Throws ValidationError for null in fields that can't be cleared, and for blank text. */
function clearNulls(fields: BoundFields, input: InputValues): InputValues {
  const present = Object.entries(fields).filter(([name]) => input[name] !== undefined);
  const issues = present.flatMap(([name, bound]) => findPatchIssues(name, input[name], bound));
  if (issues.length > 0) throw new ValidationError(issues);
  return { ...input, ...Object.fromEntries(present.map(([name]) => [name, input[name] ?? ''])) };
}

/** Splits a joint ID into the request fields that identify the record. */
function splitJointId(on: NonNullable<BindOptions['on']>, id: string, member: string): object {
  const keys = on.createStub(id);
  if (on.key.some((name) => !(keys as InputValues)[name]))
    throw invalidInput([member], 'INVALID_FORMAT', `must be the \`id\` of ${withArticle(on.name)}.`);
  return keys;
}

/** Binds a mutation's input to its operation: types, names, limits and IDs are derived from the contract. */
export function bindInput<Message extends MessageFields>(
  operation: AnyOperation & { readonly request: Message },
  bindMembers: ((f: Binder<Message>) => InputMembers) | undefined,
  { on, isPatch, names, isCompleted }: BindOptions,
): InputBinding {
  const [subject, members] = addSubject(operation, bindMembers?.(createBinder(operation.request)) ?? {}, on);
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
