import { readFileSync } from 'node:fs';
import { buildASTSchema, type GraphQLObjectType, isObjectType, parse, type StringValueNode, visit } from 'graphql';
import { describe, expect, it } from 'vitest';

/** Longest description, in characters. Chosen: editors show about three lines in a tooltip. */
const MAX_LENGTH = 240;

const descriptions: { readonly owner: string; readonly text: string }[] = [];
const document = parse(readFileSync('schema.graphql', 'utf8'));
visit(document, {
  enter: (node) => {
    if (!('description' in node) || !node.description || node.kind === 'SchemaDefinition') return;
    const { value } = node.description as StringValueNode;
    descriptions.push({ owner: 'name' in node && node.name && 'value' in node.name ? String(node.name.value) : node.kind, text: value });
  },
});

const describedBy = (isWrong: (text: string) => boolean) =>
  descriptions.filter(({ text }) => isWrong(text)).map(({ owner, text }) => `${owner}: ${text}`);

describe('descriptions in the schema', () => {
  it('covers the whole schema', () => {
    expect(descriptions.length).toBeGreaterThan(3_000);
  });

  it('consist of sentences', () => {
    expect(describedBy((text) => !/^[\p{Lu}\d`]/u.test(text) || !/[.)`]$/.test(text.trim()))).toEqual([]);
  });

  it(`have at most ${MAX_LENGTH} characters`, () => {
    expect(describedBy((text) => text.length > MAX_LENGTH)).toEqual([]);
  });

  it('say which IDs `node` rejects', () => {
    const schema = buildASTSchema(document, { assumeValid: true });
    const withId = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && type.getFields().id !== undefined,
    ) as GraphQLObjectType[];
    const isNode = (type: GraphQLObjectType) => type.getInterfaces().some(({ name }) => name === 'Node');
    const saysSo = (type: GraphQLObjectType) => /`node` doesn’t accept it/.test(type.getFields().id?.description ?? '');
    expect(withId.filter((type) => !isNode(type)).length).toBeGreaterThan(20);
    expect(withId.filter((type) => isNode(type) === saysSo(type)).map(({ name }) => name)).toEqual([]);
  });
});
