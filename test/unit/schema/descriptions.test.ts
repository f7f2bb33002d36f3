import { readFileSync } from 'node:fs';
import { buildASTSchema, type GraphQLObjectType, isObjectType, parse, type StringValueNode, visit } from 'graphql';
import { describe, expect, it } from 'vitest';

/** Maximum length of a description, in characters. Chosen: editors show about three lines in a tooltip. */
const MAX_LENGTH = 240;

// cspell:disable
/** Openings that repeat the name of the field, or that lack a subject. */
const OPENINGS =
  /^(The (id|moment|name|number|stage|state|title|text|place|sum|time)s? (of|at|that|which)\b|Its |Those |Whoever |Until when|Only those)/;

/** Wording that confused readers of the schema. */
const PHRASES =
  /\b(tells?|told|asked for|nobody|whoever|beside|anew|moments?|pieces?|stretch|when absent|as it is now|(is|are) gone|may not|cannot|concept quote(?! in the))\b|; (null|none|all|now|that|those|else)\b/i;

// cspell:enable
/** Boilerplate of earlier versions. */
const BOILERPLATE = /The fields of the change|as the Workspace API spells it|that is unique over all objects|for `after` and `before`/;

const descriptions: { readonly owner: string; readonly text: string }[] = [];
const document = parse(readFileSync('schema.graphql', 'utf8'));
visit(document, {
  enter: (node) => {
    if (!('description' in node) || !node.description || node.kind === 'SchemaDefinition') return;
    const { value } = node.description as StringValueNode;
    descriptions.push({ owner: 'name' in node && node.name && 'value' in node.name ? String(node.name.value) : node.kind, text: value });
  },
});

const findDescriptions = (isWrong: (text: string) => boolean) =>
  descriptions.filter(({ text }) => isWrong(text)).map(({ owner, text }) => `${owner}: ${text}`);

describe('descriptions in the schema', () => {
  it('cover the whole schema', () => {
    expect(descriptions.length).toBeGreaterThan(3_000);
  });

  it('consist of sentences', () => {
    expect(findDescriptions((text) => !/^[\p{Lu}\d`]/u.test(text) || !/[.)`]$/.test(text.trim()))).toEqual([]);
  });

  it(`have at most ${MAX_LENGTH} characters`, () => {
    expect(findDescriptions((text) => text.length > MAX_LENGTH)).toEqual([]);
  });

  it('avoid openings without content', () => {
    expect(findDescriptions((text) => OPENINGS.test(text))).toEqual([]);
  });

  it('avoid unidiomatic phrases', () => {
    expect(findDescriptions((text) => PHRASES.test(text))).toEqual([]);
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

  it('contain no boilerplate', () => {
    expect(findDescriptions((text) => BOILERPLATE.test(text))).toEqual([]);
  });
});
