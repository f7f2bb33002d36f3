import { getNamedType, getNullableType, isEnumType, isNonNullType, isObjectType } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { buildRecordsQuery, findTypedObjects, recordsQueryVariables } from '../../support/everyRecord.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema: graph } = getGraph();

/** The enums of the graph's own words: no other can come. */
const OWN = new Set([
  'BlockerCode',
  'ErrorCode',
  'ForbiddenReason',
  'IdempotentOperationState',
  'MutationEffect',
  'RetryAdvice',
  'ValidationIssueCode',
  'ViewerCanAnswer',
]);

/** Words of queries, which a catalog tells as lists and by names of its own: test/graph/analytics/unknownEnumValues.test.ts has those of results. */
const isOfQueries = ({ name }: { readonly name: string }) => name.startsWith('Analytics');

/** The fields that answer a word of the upstream as an enum, by their types. */
const enumFields = Object.values(graph.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__') && !isOfQueries(type))
  .flatMap((type) =>
    Object.values(isObjectType(type) ? type.getFields() : {})
      .filter((field) => isEnumType(getNamedType(field.type)) && !OWN.has(getNamedType(field.type).name))
      .map((field) => ({ type, field })),
  );

/** Words that a missing one stands for, by their enums; of the others it is OTHER. */
const UNTOLD: Readonly<Record<string, string>> = { PermissionLevel: 'NONE' };

/** Changes of the upstream's words on the way. */
const otherwise: { word: ((word: string) => unknown) | undefined } = { word: undefined };
afterEach(() => {
  otherwise.word = undefined;
});

/** Words that go by another name in the graph, by that name. */
const RENAMED: Readonly<Record<string, string>> = { MONEY: 'CURRENCY', ADDRESS: 'LOCATION' };
const wireWord = (member: unknown) => RENAMED[String(member)] ?? String(member);

const WORD = /^(?!.*_UNSPECIFIED)(PUBLIC_[A-Z_]+|open|received)$/;

/** Gives discounts a yearly part like their monthly one, where they have one: no yearly part of the demo data that is read has a duration. */
const withYearlyWords = (_name: string, value: unknown) => {
  if (typeof value !== 'object' || value === null || !('discountMonthlyType' in value)) return value;
  const { discountMonthlyType, discountMonthlyDurationMode } = value as Readonly<Record<string, unknown>>;
  if (String(discountMonthlyType).endsWith('_UNSPECIFIED')) return value;
  return { ...value, discountYearlyType: discountMonthlyType, discountYearlyDurationMode: discountMonthlyDurationMode };
};

const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const answer = await usual(request);
    const body = JSON.parse(answer.body, withYearlyWords);
    const { word = String } = otherwise;
    const reword = (_name: string, value: unknown) => (typeof value === 'string' && WORD.test(value) ? word(value) : value);
    return { ...answer, body: JSON.stringify(JSON.parse(JSON.stringify(body), reword)) };
  }),
});

const selectionOf = (name: string) =>
  ['__typename', ...enumFields.filter(({ type }) => type.name === name).flatMap(({ field }) => [field.name, `${field.name}Text`])].join(
    ' ',
  );

/** Values in the demo data of each enum field and of the text beside it, by their coordinate. */
async function shown(): Promise<Record<string, readonly (readonly [word: unknown, text: unknown])[]>> {
  const { data, errors } = await testGraph.execute(buildRecordsQuery(selectionOf), recordsQueryVariables(testGraph.sandbox));
  expect(errors).toBeUndefined();
  const objects = [...findTypedObjects(data)];
  return Object.fromEntries(
    enumFields.map(({ type, field }) => [
      `${type.name}.${field.name}`,
      objects
        .filter(({ __typename }) => __typename === type.name)
        .map((object) => [object[field.name], object[`${field.name}Text`]] as const)
        .filter(([word, text]) => word !== null || text !== null),
    ]),
  );
}

const coordinates = enumFields.map(({ type, field }) => `${type.name}.${field.name}`).sort();

describe('a word of the upstream', () => {
  it('has its text beside it wherever it is answered as an enum', () => {
    expect(enumFields.length).toBeGreaterThan(15);
    const bare = enumFields.filter(({ type, field }) => {
      const text = isObjectType(type) ? type.getFields()[`${field.name}Text`] : undefined;
      return String(text?.type) !== 'String' || String(getNullableType(field.type)) !== getNamedType(field.type).name;
    });
    expect(bare.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual([]);
  });

  it('that the graph knows is a member of the enum, and the text is what the upstream answered', async () => {
    const words = await shown();
    for (const coordinate of coordinates) {
      expect(words[coordinate], coordinate).not.toEqual([]);
      for (const [word, text] of words[coordinate] ?? []) {
        expect(word, coordinate).not.toBeNull();
        expect(String(text).toUpperCase(), coordinate).toMatch(new RegExp(`(^|_)${wireWord(word)}$`));
      }
    }
  });

  it.each([
    ['that came later', (word: string) => `${word}_REVISED`],
    ['that came later, as the number that servers send for it', () => 99],
  ])('%s is OTHER, or null where there is none, and the text has it', async (_name, word) => {
    const before = await shown();
    otherwise.word = word;
    const after = await shown();
    for (const { type, field } of enumFields) {
      const coordinate = `${type.name}.${field.name}`;
      const named = getNamedType(field.type);
      const other = isEnumType(named) && named.getValue('OTHER') ? 'OTHER' : null;
      const expected = before[coordinate]?.map(([, text]) => [other, String(word(String(text)))]);
      expect([coordinate, after[coordinate]]).toEqual([coordinate, expected]);
    }
  });

  it('that is unspecified is null, or OTHER or none where there has to be a word, and its text is null', async () => {
    const before = Object.values(await shown()).flat();
    const prefixes = new Map(before.map(([word, text]) => [text, String(text).slice(0, -wireWord(word).length)]));
    otherwise.word = (word) => `${prefixes.get(word) ?? ''}UNSPECIFIED`;
    const after = await shown();
    for (const { type, field } of enumFields) {
      const told = after[`${type.name}.${field.name}`] ?? [];
      expect(told).toEqual(isNonNullType(field.type) ? told.map(() => [UNTOLD[getNamedType(field.type).name] ?? 'OTHER', null]) : []);
    }
  });

  it.each([[{ name: 'NEW' }], [['NEW']]])('that is no word, but %j, is OTHER, and an invalid answer as text', async (value) => {
    otherwise.word = () => value;
    const { data, errors } = await testGraph.execute('{ inventoryBackorders(first: 1) { nodes { status statusText createdAt } } }');
    expect(data.inventoryBackorders.nodes).toEqual([{ status: 'OTHER', statusText: null, createdAt: expect.any(String) }]);
    expect(errors?.map(({ path, extensions }) => [path?.at(-1), extensions.code])).toEqual([['statusText', 'UPSTREAM_INVALID_RESPONSE']]);
  });
});
