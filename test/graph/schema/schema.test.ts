import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLUnionType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isSpecifiedDirective,
  isUnionType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { listExposedOperations } from '../../../scripts/contract/exposure.ts';
import { createGraph } from '../../../src/graph.ts';
import { isPaged } from '../../../src/schema/cost/listSizes.ts';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import { printClientSchema } from '../../../src/subgraph/print.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema: graph, sdl } = createGraph();

/** Types of the GraphQL and federation specifications. */
const isSpecified = ({ name }: GraphQLNamedType) => /^(__|_|Boolean$|Float$|ID$|Int$|String$)|^(federation__|link__|FieldSet$)/.test(name);

const types = Object.values(graph.getTypeMap()).filter((type) => !isSpecified(type));

interface Described {
  readonly coordinate: string;
  readonly description: string | null | undefined;
}

function listMembers(type: GraphQLNamedType): Described[] {
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

const elements: Described[] = types.flatMap((type) => [{ coordinate: type.name, description: type.description }, ...listMembers(type)]);

/** Mutations that move stock or money, send mail, or can't be undone, without native idempotency in the upstream. */
const KEY_REQUIRED = [
  'actionRequestCreate',
  'actionRequestNotificationSend',
  'correspondenceMessageAdd',
  'inventoryAdjust',
  'inventoryReceiptPost',
  'inventoryReturn',
  'inventoryTransferComplete',
  'inventoryTransferStart',
  'memberInvitationCreate',
  'memberRemove',
  'orderReservationCreate',
  'orderStockAllocate',
  'paymentReceivedTotalSet',
  'problemCommentAdd',
  'orderReservationConsume',
  'orderReservationRelease',
];

/** Source: https://spec.graphql.org/September2025/#DirectiveLocations */
const DIRECTIVE_LOCATIONS: readonly string[] = [
  ...['QUERY', 'MUTATION', 'SUBSCRIPTION', 'FIELD', 'FRAGMENT_DEFINITION', 'FRAGMENT_SPREAD', 'INLINE_FRAGMENT', 'VARIABLE_DEFINITION'],
  ...['SCHEMA', 'SCALAR', 'OBJECT', 'FIELD_DEFINITION', 'ARGUMENT_DEFINITION', 'INTERFACE', 'UNION', 'ENUM', 'ENUM_VALUE', 'INPUT_OBJECT'],
  'INPUT_FIELD_DEFINITION',
];

const SCALARS_FILE = 'docs/clients/reading.md';
const SCALARS_URL = `https://github.com/your-org/workspace-graph/blob/main/${SCALARS_FILE}#scalars`;

/** Specification of each scalar: a standard, or the documentation of the graph. */
const SPECIFICATIONS: Readonly<Record<string, string>> = {
  CountryCode: 'https://www.iso.org/iso-3166-country-codes.html',
  CurrencyCode: 'https://www.iso.org/iso-4217-currency-codes.html',
  Date: 'https://www.rfc-editor.org/rfc/rfc3339',
  DateTime: 'https://www.rfc-editor.org/rfc/rfc3339',
  Decimal: SCALARS_URL,
  HexColor: 'https://www.w3.org/TR/css-color-4/#hex-notation',
  Int64: SCALARS_URL,
  JSON: 'https://www.rfc-editor.org/rfc/rfc8259',
  TimeZone: 'https://www.iana.org/time-zones',
  URL: 'https://url.spec.whatwg.org/',
  Version: SCALARS_URL,
};

/** The verbs at the end of mutation names. Adding one needs a reason, because clients guess names from these. */
const VERBS =
  /(Attach|Create|Update|Delete|Set|Clear|Confirm|Discard|Cancel|Close|Complete|Resolve|Archive|Post|Move|Adjust|Return|Start|Allocate|Consume|Release|Record|Reschedule|Add|Remove|Send|Revoke)$/;

describe('every mutation', () => {
  const mutations = Object.values(graph.getMutationType()?.getFields() ?? {});
  const getInputType = ({ args }: (typeof mutations)[number]) => getNamedType(args[0]?.type as never) as unknown as GraphQLInputObjectType;

  it('has a name of its record and a listed verb, and no field is named type', () => {
    expect(mutations.map(({ name }) => name).filter((name) => !VERBS.test(name))).toEqual([]);
    expect(elements.map(({ coordinate }) => coordinate).filter((coordinate) => /[.(]type:?\)?$/.test(coordinate))).toEqual([]);
  });

  it('returns a payload with its effect', () => {
    const payloads = mutations.map(({ type }) => (type as GraphQLUnionType).getTypes().find(({ name }) => name.endsWith('Payload')));
    expect(payloads.length).toBeGreaterThan(30);
    expect(payloads.filter((payload) => !payload?.getInterfaces().some(({ name }) => name === 'MutationPayload'))).toEqual([]);
  });

  it('accepts an idempotency key with the same description, and requires it if stock or money moves', () => {
    const keys = mutations.map((field) => ({ name: field.name, key: getInputType(field).getFields().idempotencyKey }));
    expect(new Set(keys.map(({ key }) => key?.description)).size).toBe(1);
    const keyRequired = keys.filter(({ key }) => isNonNullType(key?.type)).map(({ name }) => name);
    const keyed = mutations.filter((field) => getOperation(field)?.effect === 'KEYED').map(({ name }) => name);
    expect(keyed.filter((name) => !keyRequired.includes(name))).toEqual([]);
    expect(keyRequired.filter((name) => !keyed.includes(name)).sort()).toEqual([...KEY_REQUIRED].sort());
  });
});

describe('introspection', () => {
  const testGraph = useTestGraph();

  it('returns the URL of a standard, or of an existing section, for each scalar', async () => {
    const { data } = await testGraph.execute('{ __schema { types { kind name specifiedByURL } } }');
    const scalars = (data.__schema.types as readonly { kind: string; name: string; specifiedByURL: string | null }[]).filter(
      ({ kind, name }) => kind === 'SCALAR' && !isSpecified({ name } as GraphQLNamedType),
    );
    expect(Object.fromEntries(scalars.map(({ name, specifiedByURL }) => [name, specifiedByURL]))).toEqual(SPECIFICATIONS);
    const printed = printClientSchema(graph);
    for (const [name, url] of Object.entries(SPECIFICATIONS)) expect(printed).toContain(`scalar ${name} @specifiedBy(url: "${url}")\n`);
    const [, section = ''] = readFileSync(SCALARS_FILE, 'utf8').split('\n## Scalars\n');
    for (const name of ['Decimal', 'Int64', 'Version']) expect(section.split('\n## ')[0]).toContain(`| \`${name}\` |`);
  });

  it('returns a schema description of authentication and errors', async () => {
    const { data } = await testGraph.execute('{ __schema { description } }');
    expect(data.__schema.description).toMatch(
      /Authorization: Bearer[\s\S]*X-API-Key[\s\S]*errors[\s\S]*extensions\.code[\s\S]*MutationError/,
    );
    expect(printClientSchema(graph).startsWith(`"""\n${data.__schema.description}\n"""\nschema {`)).toBe(true);
  });

  it('returns the directives that schema.graphql declares', async () => {
    const { data } = await testGraph.execute('{ __schema { directives { name locations args { name } } } }');
    const declared = buildSchema(readFileSync('schema.graphql', 'utf8')).getDirectives();
    const described = declared
      .filter((directive) => !isSpecifiedDirective(directive))
      .map(({ name, locations, args }) => ({ name, locations, args: args.map((arg) => ({ name: arg.name })) }));
    expect(described.map(({ name }) => name)).toEqual(['defer', 'stream', 'semanticNonNull']);
    // Only clients know it.
    expect(data.__schema.directives).toEqual(expect.arrayContaining(described.filter(({ name }) => name !== 'semanticNonNull')));
  });

  it('returns only directive locations of the published specification, which all clients know', async () => {
    const { data } = await testGraph.execute('{ __schema { directives { name locations } } }');
    const locations: string[] = data.__schema.directives.flatMap((directive: { locations: string[] }) => directive.locations);
    expect([...new Set(locations)].filter((location) => !DIRECTIVE_LOCATIONS.includes(location))).toEqual([]);
    for (const text of [readFileSync('schema.graphql', 'utf8'), sdl]) expect(text).not.toContain('DIRECTIVE_DEFINITION');
    expect(data.__schema.directives).toContainEqual({
      name: 'deprecated',
      locations: ['FIELD_DEFINITION', 'ARGUMENT_DEFINITION', 'INPUT_FIELD_DEFINITION', 'ENUM_VALUE'],
    });
  });

  it('omits the schema description from the subgraph', () => {
    expect(sdl).not.toContain(String(graph.description));
    expect(sdl.startsWith('extend schema')).toBe(true);
  });
});

describe('schema', () => {
  it('has a description for every element', () => {
    expect(elements.length).toBeGreaterThan(1_000);
    expect(elements.filter(({ description }) => !description?.trim()).map(({ coordinate }) => coordinate)).toEqual([]);
  });

  it('has a tag on every field of an assumed operation', () => {
    const assumed = listExposedOperations(graph).filter(({ field, operation }) => field !== null && operation.assumed);
    expect(assumed.length).toBeGreaterThan(30);
    const unmarked = assumed.filter(({ type, field }) => {
      const node = (graph.getType(type) as { getFields?: () => Record<string, { extensions: unknown }> }).getFields?.()[field ?? ''];
      const { directives = [] } = (node?.extensions ?? {}) as { directives?: readonly { name: string; args?: { name?: string } }[] };
      return !directives.some(({ name, args }) => name === 'tag' && args?.name === 'assumed');
    });
    expect(unmarked.map(({ type, field }) => `${type}.${field}`)).toEqual([]);
  });

  it('has the declared order: IDs first, pagination last, root fields and types by area', () => {
    const getFieldNames = (name: string) => Object.keys((graph.getType(name) as GraphQLObjectType).getFields());
    expect(getFieldNames('Quote').slice(0, 2)).toEqual(['id', 'rawId']);
    const { args = [] } = graph.getQueryType()?.getFields().products ?? {};
    expect(args.map(({ name }) => name).slice(-4)).toEqual(['first', 'after', 'last', 'before']);
    const roots = getFieldNames('Query');
    expect(roots.indexOf('product')).toBeLessThan(roots.indexOf('customer'));
    expect(roots.indexOf('customer')).toBeLessThan(roots.indexOf('quote'));
    expect(roots.indexOf('quote')).toBeLessThan(roots.indexOf('viewer'));
    const definitions = [...sdl.matchAll(/^(?:type|enum|union|input|interface|scalar) (\w+).*$/gm)];
    expect(definitions.slice(0, 2).map(([, name]) => name)).toEqual(['Query', 'Mutation']);
    const areas = definitions
      .slice(2)
      .map(([line]) =>
        [
          ...line.matchAll(/@tag\(name: "(analytics|billing|catalog|customers|inventory|messages|people|sales|work|workspace|shared)"\)/g),
        ].map(([, tag]) => tag),
      )
      // Unions of records from several areas.
      .map((tags) => (tags.length > 1 ? 'shared' : tags[0]));
    expect(areas.filter((area, index) => area !== areas[index - 1])).toEqual([
      'analytics',
      'billing',
      'catalog',
      'customers',
      'inventory',
      'messages',
      'people',
      'sales',
      'work',
      'workspace',
      'shared',
    ]);
  });

  it('has a result union of payload and errors for every mutation', () => {
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
          'RejectedError',
        ]),
      );
    }
  });

  it('has both entity keys on every object with a global ID', () => {
    const nodes = types.filter((type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'));
    expect(nodes.length).toBeGreaterThanOrEqual(10);
    for (const { name } of nodes) {
      const [declaration = ''] = new RegExp(`^type ${name}\\b[^{]*\\{`, 'm').exec(sdl) ?? [];
      expect([name, declaration.includes('@key(fields: "id")'), declaration.includes('@key(fields: "rawId")')]).toEqual([
        name,
        true,
        // An invoice is identified by several IDs.
        name !== 'Invoice',
      ]);
    }
  });

  it('uses the same enums in inputs and outputs and describes OTHER as output-only', () => {
    const enums = types.filter(isEnumType);
    expect(enums.filter(({ name }) => name.endsWith('Input'))).toEqual([]);
    const inputEnums = types
      .flatMap((type) => {
        if (isInputObjectType(type)) return Object.values(type.getFields());
        return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
      })
      .map(({ type }) => getNamedType(type))
      .filter(isEnumType);
    const others = new Map(inputEnums.map((type) => [type.name, type.getValue('OTHER')?.description ?? null]));
    // These are input-only.
    const sortFields = [...others.keys()].filter((name) => name.endsWith('SortField'));
    for (const name of ['AnalyticsRelativePeriod', 'LiveType', 'NodeType', 'SortDirection', ...sortFields]) {
      expect(others.get(name)).toBeNull();
      others.delete(name);
    }
    expect(others.size).toBe(23);
    for (const [name, description] of others)
      expect([name, description]).toEqual([name, expect.stringMatching(/ Only returned, not accepted as input\.$/)]);
  });

  const paged = types.filter(isObjectType).flatMap((type) =>
    Object.values(type.getFields())
      .filter(isPaged)
      .map((field) => ({ coordinate: `${type.name}.${field.name}`, field, type: getNamedType(field.type) as GraphQLObjectType })),
  );

  it('uses `query` for text, `filter` for other conditions, and `orderBy` for the sort order, with types named after the record', () => {
    expect(paged.length).toBeGreaterThan(20);
    for (const { coordinate, field, type } of paged) {
      const args = Object.fromEntries(field.args.map((arg) => [arg.name, String(arg.type)]));
      const { query = 'String', filter = 'none', orderBy = 'none', ...page } = args;
      const others = [
        ...(getOperation(field)?.page?.kind === 'WINDOW' ? ['scheduledBetween'] : []),
        ...(field.name.endsWith('Search') ? ['indexOnly'] : []),
      ];
      expect([coordinate, Object.keys(page).sort(), query]).toEqual([
        coordinate,
        ['after', 'before', 'first', 'last', ...others].sort(),
        'String',
      ]);
      const node = getNamedType(type.getFields().nodes?.type ?? type).name;
      // A list of a record that has other conditions than the root list.
      const ofParent = `${coordinate.split('.')[0]}${node}`;
      const prefix = getOperation(field)?.page ? node : `${node}Search`;
      expect(['none', `${prefix}FilterInput`, `${ofParent}FilterInput`], coordinate).toContain(filter);
      expect(['none', `${prefix}SortInput`, `${ofParent}SortInput`], coordinate).toContain(orderBy);
    }
  });

  it('documents the sort order of each list', () => {
    const undocumented = paged.filter(
      ({ field }) =>
        !/\. ((Newest|Oldest) first|(Earliest|Latest) start first|Sorted in the order in which to do them|Sort order is unspecified|Newest first by default)\.( \(Assumed.*\))?$/.test(
          field.description ?? '',
        ),
    );
    expect(undocumented.map(({ coordinate, field }) => `${coordinate}: ${field.description}`)).toEqual([]);
  });

  it('refers lists to the search of their records, and searches to a list', () => {
    const searches = paged.filter(({ field }) => field.name.endsWith('Search'));
    const getNode = ({ type }: (typeof paged)[number]) => String(getNamedType(type.getFields().nodes?.type));
    const names = new Map(searches.map((search) => [getNode(search), search.field.name]));
    expect(names.size).toBe(7);
    const lists = paged.filter((list) => names.has(getNode(list)) && !searches.includes(list));
    const unmentioned = lists.filter((list) => !list.field.description?.includes(`\`${names.get(getNode(list))}\``));
    expect(unmentioned.map(({ coordinate }) => coordinate)).toEqual([]);
    const coordinates = new Map(lists.map((list) => [list.coordinate.replace('Query.', ''), getNode(list)]));
    for (const search of searches) {
      const [, alternatives = ''] = search.field.description?.split('Without them, use ') ?? [];
      const named = [...alternatives.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => coordinates.get(name));
      expect([search.coordinate, [...new Set(named)]]).toEqual([search.coordinate, [getNode(search)]]);
    }
  });

  it('matches subgraph.graphql', () => {
    expect(readFileSync('subgraph.graphql', 'utf8')).toContain(sdl);
  });
});
