import { Trace } from '@apollo/usage-reporting-protobuf';
import {
  buildASTSchema,
  type ConstDirectiveNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { computeCost } from '../../../src/schema/cost/cost.ts';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import { startApp } from '../../../src/server/app.ts';
import { getSubgraphOptions, readConfig } from '../../../src/server/settings/config.ts';
import type { SubgraphOptions } from '../../../src/subgraph/options.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createBrokenUpstream } from '../../support/brokenUpstream.ts';
import { getGraph } from '../../support/getGraph.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { NO_IDLE_WAIT, useTestGraph } from '../../support/testGraph.ts';

const readSubgraphOptions = (env: Readonly<Record<string, string>> = {}): SubgraphOptions => getSubgraphOptions(readConfig(env));
const printSdl = (env: Readonly<Record<string, string>> = {}) => getGraph(readSubgraphOptions(env)).sdl;
const buildSchema = (sdl: string) => buildASTSchema(parse(sdl), { assumeValidSDL: true });

interface WithDirectives {
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] } | null | undefined;
}

/** The arguments of each use of a directive on a definition. */
const listDirectives = ({ astNode }: WithDirectives, name: string): Record<string, unknown>[] =>
  (astNode?.directives ?? [])
    .filter((directive) => directive.name.value === name)
    .map((directive) => Object.fromEntries((directive.arguments ?? []).map((arg) => [arg.name.value, valueFromASTUntyped(arg.value)])));

const listObjects = (schema: GraphQLSchema) =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'));

describe('subgraph SDL', () => {
  const plain = buildSchema(printSdl());

  it('omits node and nodes unless SUBGRAPH_NODE is set', () => {
    expect(Object.keys(plain.getQueryType()?.getFields() ?? {})).not.toEqual(expect.arrayContaining(['node']));
    expect(Object.keys(plain.getQueryType()?.getFields() ?? {})).not.toEqual(expect.arrayContaining(['nodes']));
    const fields =
      buildSchema(printSdl({ SUBGRAPH_NODE: 'true' }))
        .getQueryType()
        ?.getFields() ?? {};
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(['node', 'nodes']));
  });

  it('shares PageInfo with other Relay subgraphs', () => {
    expect(listDirectives(plain.getType('PageInfo') ?? {}, 'shareable')).toHaveLength(1);
  });

  it('imports exactly the directives that it uses', () => {
    const listUsedDirectives = (sdl: string) =>
      [...new Set([...sdl.matchAll(/@(\w+)\(|@(shareable)/g)].map(([, a, b]) => `@${a ?? b}`))].filter((name) => name !== '@link');
    const listImportedDirectives = (sdl: string) => [...(/import: \[(.*?)\]/.exec(sdl)?.[1] ?? '').matchAll(/@\w+/g)].map(([name]) => name);
    for (const sdl of [printSdl(), printSdl({ SUBGRAPH_REQUIRES_SCOPES: 'true' })])
      expect(listImportedDirectives(sdl)).toEqual(listUsedDirectives(sdl).sort());
    expect(printSdl()).not.toContain('requiresScopes');
  });
});

describe('@requiresScopes', () => {
  const { schema, sdl } = getGraph(readSubgraphOptions({ SUBGRAPH_REQUIRES_SCOPES: 'true' }));
  const printed = buildSchema(sdl);

  it('lists the required scopes of every field and is used on fields only', () => {
    let count = 0;
    for (const type of listObjects(printed)) {
      expect(listDirectives(type, 'requiresScopes')).toEqual([]);
      for (const field of Object.values(type.getFields())) {
        const original = (schema.getType(type.name) as GraphQLObjectType).getFields()[field.name];
        const scopes = original && getOperation(original)?.scopes;
        expect([type.name, field.name, listDirectives(field, 'requiresScopes')]).toEqual([
          type.name,
          field.name,
          scopes?.length ? [{ scopes: [[...scopes]] }] : [],
        ]);
        count += scopes?.length ? 1 : 0;
      }
    }
    expect(count).toBeGreaterThan(60);
  });
});

/** The cost of a query by the cost specification, computed only from the printed directives. */
function countByDirectives(schema: GraphQLSchema, source: string): number {
  const fragments = new Map(
    parse(source).definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  );
  const getWeight = (field: WithDirectives, type: GraphQLNamedType): number => {
    const [own = listDirectives(type, 'cost')[0]] = listDirectives(field, 'cost');
    return own ? Number(own.weight) : Number(isObjectType(type) || isInterfaceType(type) || isUnionType(type));
  };
  const countSelection = (set: SelectionSetNode | undefined, parent: GraphQLNamedType, sizes: ReadonlyMap<string, number>): number =>
    (set?.selections ?? [])
      .map((node) => {
        if (node.kind === Kind.FIELD) return isObjectType(parent) ? countField(node, parent, sizes) : 0;
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
        const type = schema.getType(fragment?.typeCondition?.name.value ?? parent.name) ?? parent;
        return countSelection(fragment?.selectionSet, type, sizes);
      })
      .reduce((sum, cost) => sum + cost, 0);
  const countField = (node: FieldNode, parent: GraphQLObjectType, sizes: ReadonlyMap<string, number>): number => {
    const field = parent.getFields()[node.name.value];
    if (!field) throw new Error(`${parent.name} has no ${node.name.value}.`);
    const type = getNamedType(field.type);
    const [list] = listDirectives(field, 'listSize');
    const sliced = node.arguments?.find(({ name }) => (list?.slicingArguments as string[] | undefined)?.includes(name.value));
    const length = Number((sliced && valueFromASTUntyped(sliced.value)) ?? list?.assumedSize ?? 1);
    const sized = (list?.sizedFields as string[] | undefined) ?? [];
    const count = sizes.get(field.name) ?? (list && sized.length === 0 ? length : 1);
    return count * (getWeight(field, type) + countSelection(node.selectionSet, type, new Map(sized.map((name) => [name, length]))));
  };
  const [operation] = parse(source).definitions;
  const root = schema.getQueryType();
  return root && operation?.kind === Kind.OPERATION_DEFINITION ? countSelection(operation.selectionSet, root, new Map()) : Number.NaN;
}

describe('@cost and @listSize', () => {
  const { schema, sdl } = getGraph();
  const printed = buildSchema(sdl);

  it.each([
    '{ customer(id: "x") { title quotes(first: 3) { pageInfo { hasNextPage } nodes { totalOnce { amount } } } } }',
    '{ customers(first: 100) { nodes { title orders(last: 20, before: "x") { edges { node { referenceNumber } } } } } }',
    '{ customers { nodes { orders { nodes { lines { product { name inventoryBalances(first: 5) { nodes { location { name } } } } } } } } } }',
    '{ quote(id: "x") { customer { title contact { lastName } } order { referenceNumber cancellationImpact { canCancel } } discounts { discount { name } } } }',
    '{ viewer { workspace { name } } journey { stages { name } } products(first: 7) { nodes { name } } }',
    '{ customer(id: "x") { title timelineEvents(first: 10) { nodes { summary entity { ... on Quote { title } } } } } }',
  ])('give routers the same cost as the graph’s own limit: %s', (source) => {
    const own = computeCost(schema, parse(source), null, {}, Number.POSITIVE_INFINITY)?.calls;
    expect(own).toBeGreaterThan(1);
    expect(countByDirectives(printed, source)).toBe(own);
  });

  it('appear on every list of objects', () => {
    const bare = listObjects(printed).flatMap((type) =>
      Object.values(type.getFields())
        .filter(({ type: fieldType }) => isListType(getNullableType(fieldType)))
        .filter((field) => isObjectType(getNamedType(field.type)) && listDirectives(field, 'listSize').length === 0)
        .map((field) => `${type.name}.${field.name}`),
    );
    expect(bare.filter((name) => !/Connection\.(edges|nodes)$|Payload\.|Error\.issues$/.test(name))).toEqual([]);
  });
});

describe('SUBGRAPH_TAGS', () => {
  const sdl = printSdl({
    SUBGRAPH_TAGS: 'Query.customer*=public, Customer=public,Money.amount=partner,QuoteStatus.CONCEPT=inner,QuoteUpdateInput.lines=a/b',
  });
  const printed = buildSchema(sdl);

  it('adds tags to the matching coordinates', () => {
    const query = printed.getQueryType()?.getFields() ?? {};
    const tagged = Object.values(query).filter((field) => listDirectives(field, 'tag').some(({ name }) => name === 'public'));
    expect(tagged.map(({ name }) => name)).toEqual(['customerSearch', 'customer', 'customers', 'customersByIdentifier']);
    expect(listDirectives(printed.getType('Customer') ?? {}, 'tag')).toEqual([{ name: 'customers' }, { name: 'public' }]);
    expect(sdl).toMatch(/CONCEPT @tag\(name: "inner"\)/);
    expect(sdl).toMatch(/lines: \[QuoteLineInput!\]! @tag\(name: "a\/b"\)/);
    expect(sdl).toMatch(/amount: Decimal! @tag\(name: "partner"\)/);
  });

  it('preserves the tags of assumptions and areas', () => {
    const field = printed.getQueryType()?.getFields().customers ?? {};
    expect(listDirectives(field, 'tag')).toEqual([{ name: 'assumed' }, { name: 'customers' }, { name: 'public' }]);
  });

  it('prevents the start if a coordinate doesn’t exist', () => {
    expect(() => printSdl({ SUBGRAPH_TAGS: 'Query.customer=public,Query.costumer=public' })).toThrow('Query.costumer=public');
  });

  it.each(['Query.customer', 'Query.customer=', '=public', 'Query.a.b=c', 'Query.customer=has space'])('rejects the value %s', (text) => {
    expect(() => readConfig({ SUBGRAPH_TAGS: text })).toThrow('SUBGRAPH_TAGS');
  });
});

describe('federated traces', () => {
  const testGraph = useTestGraph();

  async function fetchTrace(url: string, query: string, header = 'ftv1') {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', 'apollo-federation-include-trace': header },
      body: JSON.stringify({ query, variables: { of: [{ __typename: 'Customer', rawId: demoId('customer 0') }] } }),
    });
    const { extensions } = (await response.json()) as { extensions?: { ftv1?: string } };
    return extensions?.ftv1;
  }

  it('report the duration of each field, including references, if the router requests them', async () => {
    const ftv1 = await fetchTrace(testGraph.url, 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { title } } }');
    const { root, durationNs } = Trace.decode(Buffer.from(ftv1 ?? '', 'base64'));
    expect(root?.child?.[0]?.responseName).toBe('_entities');
    expect(root?.child?.[0]?.child?.[0]?.child?.[0]).toMatchObject({ responseName: 'title', parentType: 'Customer', type: 'String' });
    expect(Number(durationNs)).toBeGreaterThan(0);
  });

  it('disappear without the header', async () => {
    expect(await fetchTrace(testGraph.url, '{ __typename }', 'no')).toBeUndefined();
  });

  it('report errors with the same detail as the response', async () => {
    const upstream = createBrokenUpstream();
    const logger = pino({ level: 'silent' });
    const app = await startApp({ config: readConfig({ PORT: '0' }), upstream, ledger: createMemoryLedger(), logger, http: NO_IDLE_WAIT });
    const { root } = Trace.decode(Buffer.from((await fetchTrace(app.url, '{ contacts { nodes { lastName } } }')) ?? '', 'base64'));
    await app.close();
    const [error] = root?.child?.[0]?.error ?? [];
    expect(error?.message).toContain('Internal server error. The server log has the cause under the request ID.');
    expect(JSON.stringify(root)).not.toContain('secret');
  });
});

const _getKind = ({ astNode }: GraphQLNamedType) => astNode?.kind;
