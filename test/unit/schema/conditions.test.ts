import { type GraphQLInputField, getNamedType, getNullableType, isEnumType, isInputObjectType, isListType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { getGraph } from '../../support/getGraph.ts';

const { schema } = getGraph();

const inputTypes = Object.values(schema.getTypeMap()).filter(isInputObjectType);
const isPlural = (name: string) => name.endsWith('s') && name !== 'status';
const isAnalytics = ({ name }: { readonly name: string }) => name.startsWith('Analytics');

/** Conditions of lists and searches, by coordinate. Groups such as `and` contain filters instead of values. */
const conditions = new Map(
  inputTypes
    .filter(({ name }) => name.endsWith('FilterInput') && !name.startsWith('Analytics'))
    .flatMap((type) => Object.values(type.getFields()).map((field): [string, GraphQLInputField] => [`${type.name}.${field.name}`, field]))
    .filter(([, { type }]) => !(isListType(getNullableType(type)) && isInputObjectType(getNamedType(type)))),
);

const list = (isWrong: (field: GraphQLInputField) => boolean) =>
  [...conditions].filter(([, field]) => isWrong(field)).map(([coordinate]) => coordinate);

describe('filter of a list or search', () => {
  it('names a condition in the plural exactly if it accepts several values', () => {
    expect(conditions.size).toBeGreaterThan(80);
    const isValue = ({ type }: GraphQLInputField) => !isInputObjectType(getNamedType(type));
    expect(list((field) => isValue(field) && isListType(getNullableType(field.type)) !== isPlural(field.name))).toEqual([]);
  });

  it('compares each kind of value in one form', () => {
    const types = [...conditions.values()].map(({ type }) => getNamedType(type)).filter((type) => !isEnumType(type));
    expect(new Set(types.map(({ name }) => name).filter((name) => !name.endsWith('FilterInput')))).toEqual(
      new Set([
        'Boolean',
        'CurrencyCode',
        'ID',
        'MoneyConditionInput',
        'NullableTimeConditionInput',
        'TextConditionInput',
        'TimeConditionInput',
      ]),
    );
  });
});

describe('range', () => {
  it('consists of `gte` and `lt`, in every input', () => {
    const limits = inputTypes
      .filter((type) => !isAnalytics(type))
      .flatMap((type) => Object.keys(type.getFields()).filter((name) => /^(gte?|lte?|from|to|min|max|after|before)$/.test(name)));
    expect(new Set(limits)).toEqual(new Set(['gte', 'lt']));
  });
});
