import { getNamedType, getNullableType, isEnumType, isNonNullType, isObjectType } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { buildRecordsQuery, createRecordsQueryVariables, findTypedObjects } from '../../support/everyRecord.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema: graph } = getGraph();

/** Enums that the graph defines itself, so unknown values can't occur. */
const OWN = new Set([
  'ChangeSource',
  'BlockerCode',
  'ErrorCode',
  'ForbiddenReason',
  'IdempotentOperationState',
  'MutationEffect',
  'RetryAdvice',
  'ValidationIssueCode',
  'ViewerCanAnswer',
]);

/** Excludes enums of queries, whose values the catalog defines: test/graph/analytics/unknownEnumValues.test.ts covers those of results. */
const isQueryType = ({ name }: { readonly name: string }) => name.startsWith('Analytics');

/** The fields with an enum value of the upstream, with their types. */
const enumFields = Object.values(graph.getTypeMap())
  // Facets count by value: see the tests of searches.
  .filter((type) => isObjectType(type) && !type.name.startsWith('__') && !isQueryType(type) && !type.name.endsWith('Facet'))
  .flatMap((type) =>
    Object.values(isObjectType(type) ? type.getFields() : {})
      .filter((field) => isEnumType(getNamedType(field.type)) && !OWN.has(getNamedType(field.type).name))
      .map((field) => ({ type, field })),
  );

/** The values that represent a missing one, by enum. OTHER for the others. */
const MISSING_VALUES: Readonly<Record<string, string>> = { PermissionLevel: 'NONE' };

/** Replaces enum values in responses of the upstream. */
const replacement: { mapValue: ((value: string) => unknown) | undefined } = { mapValue: undefined };
afterEach(() => {
  replacement.mapValue = undefined;
});

/** Enum values whose name in the graph differs, by that name. */
const RENAMED: Readonly<Record<string, string>> = { MONEY: 'CURRENCY', ADDRESS: 'LOCATION' };
const getWireValue = (member: unknown) => RENAMED[String(member)] ?? String(member);

const ENUM_VALUE = /^(?!.*_UNSPECIFIED)(PUBLIC_[A-Z_]+|open|received)$/;

/** Copies the monthly part of discounts to the yearly part, because no yearly part in the demo data has a duration. */
const addYearlyValues = (_name: string, value: unknown) => {
  if (typeof value !== 'object' || value === null || !('discountMonthlyType' in value)) return value;
  const { discountMonthlyType, discountMonthlyDurationMode } = value as Readonly<Record<string, unknown>>;
  if (String(discountMonthlyType).endsWith('_UNSPECIFIED')) return value;
  return { ...value, discountYearlyType: discountMonthlyType, discountYearlyDurationMode: discountMonthlyDurationMode };
};

const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const response = await usual(request);
    const body = JSON.parse(response.body, addYearlyValues);
    const { mapValue = String } = replacement;
    const replace = (_name: string, value: unknown) => (typeof value === 'string' && ENUM_VALUE.test(value) ? mapValue(value) : value);
    return { ...response, body: JSON.stringify(JSON.parse(JSON.stringify(body), replace)) };
  }),
});

const selectEnums = (name: string) =>
  ['__typename', ...enumFields.filter(({ type }) => type.name === name).flatMap(({ field }) => [field.name, `${field.name}Text`])].join(
    ' ',
  );

/** The values of each enum field and its text field in the demo data, by coordinate. */
async function fetchValues(): Promise<Record<string, readonly (readonly [value: unknown, text: unknown])[]>> {
  const { data, errors } = await testGraph.execute(buildRecordsQuery(selectEnums), createRecordsQueryVariables(testGraph.sandbox));
  expect(errors).toBeUndefined();
  const objects = [...findTypedObjects(data)];
  return Object.fromEntries(
    enumFields.map(({ type, field }) => [
      `${type.name}.${field.name}`,
      objects
        .filter(({ __typename }) => __typename === type.name)
        .map((object) => [object[field.name], object[`${field.name}Text`]] as const)
        .filter(([value, text]) => value !== null || text !== null),
    ]),
  );
}

const coordinates = enumFields.map(({ type, field }) => `${type.name}.${field.name}`).sort();

describe('enum value of the upstream', () => {
  it('exists as text next to every enum field', () => {
    expect(enumFields.length).toBeGreaterThan(15);
    const withoutText = enumFields.filter(({ type, field }) => {
      const text = isObjectType(type) ? type.getFields()[`${field.name}Text`] : undefined;
      return String(text?.type) !== 'String' || String(getNullableType(field.type)) !== getNamedType(field.type).name;
    });
    expect(withoutText.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual([]);
  });

  it('maps to a member of the enum, and its text is the original value', async () => {
    const values = await fetchValues();
    for (const coordinate of coordinates) {
      expect(values[coordinate], coordinate).not.toEqual([]);
      for (const [value, text] of values[coordinate] ?? []) {
        expect(value, coordinate).not.toBeNull();
        expect(String(text).toUpperCase(), coordinate).toMatch(new RegExp(`(^|_)${getWireValue(value)}$`));
      }
    }
  });

  it.each([
    ['an unknown value', (value: string) => `${value}_REVISED`],
    ['an unknown value as a number', () => 99],
  ])('maps %s to OTHER or null, and its text is the original value', async (_name, mapValue) => {
    const before = await fetchValues();
    replacement.mapValue = mapValue;
    const after = await fetchValues();
    for (const { type, field } of enumFields) {
      const coordinate = `${type.name}.${field.name}`;
      const named = getNamedType(field.type);
      const other = isEnumType(named) && named.getValue('OTHER') ? 'OTHER' : null;
      const expected = before[coordinate]?.map(([, text]) => [other, String(mapValue(String(text)))]);
      expect([coordinate, after[coordinate]]).toEqual([coordinate, expected]);
    }
  });

  it('maps an unspecified value to null, or to a default if the field is non-null, and its text is null', async () => {
    const before = Object.values(await fetchValues()).flat();
    const prefixes = new Map(before.map(([value, text]) => [text, String(text).slice(0, -getWireValue(value).length)]));
    replacement.mapValue = (value) => `${prefixes.get(value) ?? ''}UNSPECIFIED`;
    const after = await fetchValues();
    for (const { type, field } of enumFields) {
      const values = after[`${type.name}.${field.name}`] ?? [];
      expect(values).toEqual(
        isNonNullType(field.type) ? values.map(() => [MISSING_VALUES[getNamedType(field.type).name] ?? 'OTHER', null]) : [],
      );
    }
  });

  it.each([[{ name: 'NEW' }], [['NEW']]])('maps the invalid value %j to OTHER, and its text is an error', async (value) => {
    replacement.mapValue = () => value;
    const { data, errors } = await testGraph.execute('{ inventoryBackorders(first: 1) { nodes { status statusText createdAt } } }');
    expect(data.inventoryBackorders.nodes).toEqual([{ status: 'OTHER', statusText: null, createdAt: expect.any(String) }]);
    expect(errors?.map(({ path, extensions }) => [path?.at(-1), extensions.code])).toEqual([['statusText', 'UPSTREAM_INVALID_RESPONSE']]);
  });
});
