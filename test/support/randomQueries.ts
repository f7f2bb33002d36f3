import fc, { type GeneratorValue } from 'fast-check';
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { toGlobalId } from '../../src/schema/kit/globalIds.ts';
import { getEntityByName } from '../../src/schema/kit/registry.ts';
import { demoId } from '../sandbox/sandbox.ts';
import { EXAMPLES } from './examples.ts';
import './getGraph.ts';

/** IDs to use in documents, by type: of demo records, and of missing ones. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(EXAMPLES).map(([type, names]) => [type, [...names.map(demoId), 'nothing']])),
  CustomFieldDefinition: ['budget', 'site_address', 'nothing'],
};
const ENTITIES = Object.keys(IDS).filter((type) => getEntityByName(type));

/**
 * Lists with their arguments. Excludes arguments for which the predicted cost isn't an upper bound by design: cursors, which can make a window overlap two
 * upstream pages. Lists without pages have a predicted size of ten, and fewer rows in the demo data.
 */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  accountingIntegrationId: [`"${demoId('accounting connection 0')}"`, '"nothing"'],
  appointmentTypeId: [`"${demoId('appointment type survey')}"`, '"nothing"'],
  by: ['{ referenceNumber: "C-000001" }', '{ email: "absent@example.com" }'],
  column: ['"count"', '"nothing"'],
  coordinates: ['[]', '["Mutation.quoteConfirm", "Customer.quotes", "Order"]', '["Query.nothing"]'],
  day: ['"2026-03-04"', '"2026-03-08"'],
  filter: ['{}', 'null'],
  first: ['0', '1', '2', '3', '100', 'null', '-1', '1000'],
  last: ['2', 'null'],
  idempotencyKey: ['"k"'],
  name: ['"budget"', '"nothing"'],
  orderBy: ['{ field: CREATED_AT }', '{ field: CREATED_AT, direction: ASC }', '{ field: UPDATED_AT }', 'null'],
  operation: ['"inventoryAdjust"', '"nothing"'],
  query: ['""', '"a"'],
  scheduledBetween: [
    '{ gte: "2026-02-20T00:00:00Z", lt: "2026-03-20T00:00:00Z" }',
    '{ gte: "2026-02-20T00:00:00Z", lt: "2026-02-20T00:00:00Z" }',
  ],
  templateId: [`"${demoId('work order template service')}"`, '"nothing"', 'null'],
  sql: ['"SELECT count(*) FROM orders WHERE svc.timezone(\'UTC\') LIMIT 1"', '"SELECT"'],
  value: ['"8710000000001"'],
};

/** Analytics queries: a valid one and an invalid one. */
const ANALYTICS = [
  '{ entity: ORDERS, select: { aggregate: { measures: [{ count: {} }], dimensions: [{ field: "status" }] } } }',
  '{ entity: ORDERS, select: { records: ["nothing"] } }',
];

/** Introspection selections. */
const INTROSPECTION = [
  '__schema { queryType { name } directives { name locations args { name type { kind ofType { name } } } } }',
  '__type(name: "Customer") { __typename name kind fields { name isDeprecated } interfaces { name } }',
  '__type(name: "QuoteStatus") { name enumValues(includeDeprecated: true) { name } }',
  '__type(name: "Nothing") { name }',
];

/** Generates random valid queries with their variables. */
export class QueryGenerator {
  readonly #schema: GraphQLSchema;
  readonly #any: GeneratorValue;
  readonly #roots: readonly string[] | undefined;
  readonly #fragments: string[] = [];
  readonly #declared: string[] = ['$yes: Boolean!', '$no: Boolean = false'];
  readonly variables: Record<string, unknown> = { yes: true };
  #names = 0;

  /** `roots`: fields of Query to select from. Defaults to all. */
  constructor(schema: GraphQLSchema, any: GeneratorValue, roots?: readonly string[]) {
    this.#schema = schema;
    this.#any = any;
    this.#roots = roots;
  }

  #number = (max: number) => this.#any(fc.nat, { max });

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#number(items.length - 1)] as Item;
  }

  #variable(type: string, value: unknown): string {
    const name = `v${this.#declared.length}`;
    this.#declared.push(`$${name}: ${type}`);
    this.variables[name] = value;
    return `$${name}`;
  }

  #id(type: string): string {
    const id = this.#pick(IDS[type] ?? ['nothing']);
    return this.#number(1) ? id : toGlobalId(type, id);
  }

  #globalId = () => {
    const type = this.#pick(ENTITIES);
    return toGlobalId(type, this.#pick(IDS[type] ?? []));
  };

  #reference = () => {
    const type = this.#pick(ENTITIES);
    const id = this.#pick(IDS[type] ?? []);
    return this.#number(1) ? { __typename: type, rawId: id } : { __typename: type, id: toGlobalId(type, id) };
  };

  #several = <Item>(make: () => Item): Item[] => Array.from({ length: this.#number(5) }, make);

  #argument(name: string, target: string): string {
    if (name === 'representations') return this.#variable('[_Any!]!', this.#several(this.#reference));
    if (name === 'ids') return this.#variable('[ID!]!', this.#several(this.#globalId));
    if (name === 'id') return this.#variable('ID!', target === 'Node' ? this.#globalId() : this.#id(target));
    if (name === 'by' && target === 'InventoryReceipt') return `{ id: "${this.#id(target)}" }`;
    if (name === 'query' && target === 'AnalyticsQueryResult') return this.#pick(ANALYTICS);
    const text = this.#pick(ARGUMENTS[name] ?? []);
    return (name === 'first' || name === 'last') && this.#number(2) === 0 ? this.#size(text) : text;
  }

  /** A variable for a number, which may have a default value and may be omitted. */
  #size(text: string): string {
    const variable = this.#variable(this.#pick(['Int', 'Int = 2', 'Int = null']), JSON.parse(text));
    if (this.#number(3) === 0) delete this.variables[variable.slice(1)];
    return variable;
  }

  #arguments({ args, type }: GraphQLField<unknown, unknown>): string {
    const passed = args.filter(
      (arg) => isRequiredArgument(arg) || (ARGUMENTS[arg.name] && this.#number(arg.name === 'last' ? 15 : 1) === 0),
    );
    const texts = passed.map(({ name }) => `${name}: ${this.#argument(name, getNamedType(type).name)}`);
    return texts.length > 0 ? `(${texts.join(', ')})` : '';
  }

  #condition = () => this.#pick(['', '', '', '', '@include(if: $yes)', '@skip(if: $no)', '@skip(if: $yes)', '@include(if: $no)']);

  /** Aliases each field, so that fields never conflict. Sometimes selects a field twice with the same alias. */
  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const target = getNamedType(field.type);
    const inner = isCompositeType(target) ? this.#selection(target, depth - 1) : '';
    this.#names += 1;
    const text = `n${this.#names}: ${field.name}${this.#arguments(field)}`;
    const again = inner && this.#number(7) === 0 ? `${text} ${inner}` : '';
    return `${text} ${this.#condition()} ${inner} ${again}`;
  }

  #fields(type: GraphQLObjectType, depth: number): string {
    const isOpen = (name: string) => type !== this.#schema.getQueryType() || (this.#roots?.includes(name) ?? true);
    const all = Object.values(type.getFields()).filter(({ name }) => name !== '_service' && isOpen(name));
    const edges = all.filter((field) => isCompositeType(getNamedType(field.type)));
    const selected = Array.from({ length: 1 + this.#number(2) }, () =>
      this.#pick(depth > 0 && edges.length > 0 && this.#number(3) ? edges : all),
    );
    const possible = selected.filter((field) => depth > 0 || !isCompositeType(getNamedType(field.type)));
    const own = type === this.#schema.getQueryType() && this.#number(9) === 0 ? this.#introspection() : '';
    const name = possible.length === 0 || this.#number(7) === 0 ? '__typename' : '';
    return [name, own, ...possible.map((field) => this.#field(field, depth))].filter(Boolean).join(' ');
  }

  #introspection(): string {
    this.#names += 1;
    return `n${this.#names}: ${this.#pick(INTROSPECTION)}`;
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    if (isObjectType(type)) return `{ ${this.#wrapped(type.name, this.#fields(type, depth))} }`;
    const all = this.#schema.getPossibleTypes(type);
    const known = all.filter(({ name }) => ENTITIES.includes(name));
    // The union of analytics has no entities.
    const possible = known.length > 0 ? known : all;
    const arms = Array.from({ length: this.#number(2) }, () => this.#pick(possible));
    return `{ __typename ${arms.map((arm) => `... on ${arm.name} { ${this.#fields(arm, depth)} }`).join(' ')} }`;
  }

  #wrapped(type: string, text: string): string {
    const form = this.#number(5);
    if (form === 0) return `... ${this.#condition()} { ${text} }`;
    if (form !== 1) return text;
    const name = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${type} { ${text} }`);
    return `...${name} ${this.#condition()} ...${name}`;
  }

  /** Generates a query with this depth. */
  generate(depth: number): string {
    const query = this.#schema.getQueryType();
    if (!query) throw new Error('The graph has no queries.');
    const selection = this.#selection(query, depth);
    return [
      `query (${this.#declared.join(', ')}) { __typename @include(if: $yes) @skip(if: $no) ... ${selection} }`,
      ...this.#fragments,
    ].join('\n');
  }
}
