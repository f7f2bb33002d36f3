import { readFileSync } from 'node:fs';
import { type GraphQLNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { exposedBy } from '../scripts/exposure.ts';
import { createGraph } from '../src/graph.ts';

const { schema: graph, sdl } = createGraph();

/** Types that the GraphQL and federation specifications bring along. */
const isForeign = ({ name }: GraphQLNamedType) => /^(__|_|Boolean$|Float$|ID$|Int$|String$)|^(federation__|link__|FieldSet$)/.test(name);

const types = Object.values(graph.getTypeMap()).filter((type) => !isForeign(type));

interface Described {
  readonly coordinate: string;
  readonly description: string | null | undefined;
}

function membersOf(type: GraphQLNamedType): Described[] {
  if (isEnumType(type)) return type.getValues().map(({ name, description }) => ({ coordinate: `${type.name}.${name}`, description }));
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map(({ name, description }) => ({ coordinate: `${type.name}.${name}`, description }));
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields())
    .filter(({ name }) => !name.startsWith('_'))
    .flatMap((field) => [
      { coordinate: `${type.name}.${field.name}`, description: field.description },
      ...field.args.map((arg) => ({ coordinate: `${type.name}.${field.name}(${arg.name}:)`, description: arg.description })),
    ]);
}

const everything: Described[] = types.flatMap((type) => [{ coordinate: type.name, description: type.description }, ...membersOf(type)]);

describe('the schema', () => {
  it('describes everything', () => {
    expect(everything.length).toBeGreaterThan(1_000);
    expect(everything.filter(({ description }) => !description?.trim()).map(({ coordinate }) => coordinate)).toEqual([]);
  });

  it('marks every field over an assumed operation in its description and by a tag', () => {
    const assumed = exposedBy(graph).filter(({ field, operation }) => field !== null && operation.assumed);
    expect(assumed.length).toBeGreaterThan(30);
    const unmarked = assumed.filter(({ type, field }) => {
      const node = (
        graph.getType(type) as { getFields?: () => Record<string, { description?: string; extensions: unknown }> }
      ).getFields?.()[field ?? ''];
      const { directives = [] } = (node?.extensions ?? {}) as { directives?: readonly { name: string; args?: { name?: string } }[] };
      return !node?.description?.includes('(Assumed') || !directives.some(({ name, args }) => name === 'tag' && args?.name === 'assumed');
    });
    expect(unmarked.map(({ type, field }) => `${type}.${field}`)).toEqual([]);
  });

  it('answers a union of its payload and its failures for every mutation, named after it', () => {
    for (const [name, field] of Object.entries(graph.getMutationType()?.getFields() ?? {})) {
      const title = name.charAt(0).toUpperCase() + name.slice(1);
      const union = graph.getType(`${title}Result`);
      expect([name, String(field.type), field.args.map((arg) => `${arg.name}: ${arg.type}`)]).toEqual([
        name,
        `${title}Result`,
        [`input: ${title}Input!`],
      ]);
      if (!isUnionType(union)) throw new Error(`${title}Result must be a union.`);
      const members = union.getTypes().map((member) => member.name);
      expect(members).toContain(`${title}Payload`);
      expect(members).toEqual(
        expect.arrayContaining([
          'ValidationError',
          'NotFoundError',
          'ForbiddenError',
          'RateLimitedError',
          'OutcomeUnknownError',
          'UpstreamRejectedError',
        ]),
      );
    }
  });

  it('gives every object with a global id the two keys of an entity', () => {
    const nodes = types.filter((type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'));
    expect(nodes.length).toBeGreaterThanOrEqual(10);
    for (const { name } of nodes) {
      const [declaration = ''] = new RegExp(`^type ${name}[^{]*\\{`, 'm').exec(sdl) ?? [];
      expect([name, declaration.includes('@key(fields: "id")'), declaration.includes('@key(fields: "rawId")')]).toEqual([name, true, true]);
    }
  });

  it('is the one that is committed', () => {
    expect(readFileSync('subgraph.graphql', 'utf8')).toContain(sdl);
  });
});
