import type { JsonObject } from '../lib/json.ts';
import type { PlannedField } from '../schema/cost/callPlan.ts';

/** The selected fields of an object in a response. Uses its `__typename` if it's selected, otherwise the first type that has all its members. */
export function listFieldsOf(field: PlannedField, value: JsonObject): readonly PlannedField[] {
  const types = field.listTypes();
  const named = types.find(({ name }) => name === value.__typename);
  const hasMembers = (fields: readonly PlannedField[]) => Object.keys(value).every((name) => fields.some(({ key }) => key === name));
  const type = named ?? types.find((each) => hasMembers(field.select(each).fields));
  return type ? field.select(type).fields : [];
}
