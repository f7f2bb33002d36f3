import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { listImportable, requireMutation } from '../../cli/import/mutations.ts';
import type { BoundExtensions } from '../../src/schema/kit/inputs.ts';
import type { Limits, MessageField, MessageFields } from '../../src/upstream/contract/fields.ts';
import type { Rules } from '../../src/upstream/contract/operation.ts';
import { getDocumentedRules } from '../../src/upstream/contract/rules.ts';

const NO_FIELDS: MessageFields = { name: '', fields: {} };

/** A field with the limits of its values as the schema writes them: IDs, timestamps, versions, enums, and decimals are written differently in the contract. */
function toSchemaField({ type, extensions }: GraphQLInputField): MessageField {
  const named = getNamedType(type);
  const { bound } = extensions as BoundExtensions;
  if (!bound) return { kind: 'message', presence: 'optional', message: isInputObjectType(named) ? toMessage(named) : NO_FIELDS };
  const { minItems: _, list, ...others } = bound;
  // A list that may be absent isn't an empty one.
  const field: MessageField = isNonNullType(type) ? bound : { ...others, ...(list && { list }) };
  if (named.name === 'MoneyInput') return { kind: 'message', presence: 'optional', message: { name: '', fields: { minorUnits: field } } };
  if (isInputObjectType(named)) return { ...field, message: toMessage(named) };
  const { refers: __, ...value } = field;
  const isWrittenAsInContract = ['String', 'Int', 'Int64'].includes(named.name);
  const stated: readonly (keyof Limits)[] = (field.stated ?? []).filter((limit) => isWrittenAsInContract || limit.endsWith('Items'));
  return { ...value, stated };
}

const toMessage = (type: GraphQLInputObjectType): MessageFields => ({
  name: type.name,
  fields: Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, toSchemaField(field)])),
});

/** Documented rules of the inputs of mutations that can be imported, by the names of the types and fields. */
export const listInputRules = (schema: GraphQLSchema): Readonly<Record<string, Rules>> =>
  Object.fromEntries(
    listImportable(schema).flatMap((name) => {
      const { input } = requireMutation(schema, name);
      const rules = getDocumentedRules(toMessage(input));
      return Object.keys(rules.fields).length > 0 ? [[input.name, rules]] : [];
    }),
  );
