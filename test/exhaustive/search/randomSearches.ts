import type { GraphQLInputType, GraphQLObjectType } from 'graphql';
import { getNamedType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import type { Random } from '../../../sandbox/kernel/random.ts';
import type { World } from '../../../sandbox/kernel/world.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { getFilterInput, Model } from '../../graph/search/model.ts';
import {
  listSortFields,
  SEARCHES,
  type SearchArguments,
  type SearchTraits,
  type SelectedSearch,
  schema,
  selectIndexFields,
} from '../../graph/search/searches.ts';

/** A random search, with what its cost depends on. */
export interface RandomSearch extends SelectedSearch {
  readonly hasPage: boolean;
  readonly hasCounts: boolean;
  /** Whether the index has all selected fields of the records. */
  readonly isCovered: boolean;
}

const PAGE_SIZES = [1, 5, 25, 50, 100];

/** Number of rows that a search requests. */
export const getSize = ({ args: { first, last } }: RandomSearch): number => first ?? last ?? 0;

const getObject = (name: string) => schema.getType(name) as GraphQLObjectType;

function selectFacets({ type }: SearchTraits): string {
  if (!schema.getType(`${type}SearchFacets`)) return '';
  const facets = Object.keys(getObject(`${type}SearchFacets`).getFields());
  return `facets { ${facets.map((name) => `${name} { count }`).join(' ')} }`;
}

/** Creates random searches over the data of a sandbox. */
export class SearchGenerator {
  readonly #random: Random;
  readonly #model: Model;
  readonly #traits: readonly SearchTraits[];

  constructor(world: World, random: Random, traits = SEARCHES) {
    this.#random = random;
    this.#model = new Model(world);
    this.#traits = traits;
  }

  createFilter(traits: SearchTraits, levels = 1) {
    return this.#model.createFilter(traits, this.#random, levels);
  }

  /** A page of each search that the index covers. */
  createWarmUps(): RandomSearch[] {
    return this.#traits.map((traits) => ({
      traits,
      args: { first: 2 },
      selection: `nodes { ${selectIndexFields(traits)} }`,
      hasPage: true,
      hasCounts: false,
      isCovered: true,
    }));
  }

  /** Up to four searches of one operation. Half of the operations have one. */
  createSearches(): RandomSearch[] {
    return this.#createSeveral(() => this.#createSearch());
  }

  /** Up to four other pages of a search, after or before a cursor. */
  createPages(search: RandomSearch, cursor: string): RandomSearch[] {
    const { first: _first, last: _last, after: _after, before: _before, ...args } = search.args;
    return this.#createSeveral(() => ({ ...search, args: { ...args, ...this.#createWindow(cursor) } }));
  }

  #createSeveral(create: () => RandomSearch): RandomSearch[] {
    const count = this.#random.nextBoolean(0.5) ? 1 : this.#random.nextInteger(2, 4);
    return Array.from({ length: count }, create);
  }

  #createWindow(cursor?: string): SearchArguments {
    const size = this.#random.pick(PAGE_SIZES);
    const isForward = this.#random.nextBoolean(0.7);
    const position = cursor === undefined ? {} : isForward ? { after: cursor } : { before: cursor };
    return { ...(isForward ? { first: size } : { last: size }), ...position };
  }

  #createSearch(): RandomSearch {
    const random = this.#random;
    const traits = random.pick(this.#traits);
    const hasPage = random.nextBoolean(0.85);
    const hasCounts = !hasPage || random.nextBoolean(0.4);
    const isCovered = random.nextBoolean(0.7);
    const hasCustomer = getObject(traits.type).getFields().customer !== undefined && random.nextBoolean(0.3);
    const record = [
      'id',
      random.nextBoolean(0.7) && selectIndexFields(traits),
      !isCovered && traits.recordField,
      hasCustomer && 'customer { title }',
    ];
    const nodes = `{ ${record.filter(Boolean).join(' ')} }`;
    const page = `pageInfo { startCursor endCursor } ${random.nextBoolean(0.5) ? `nodes ${nodes}` : `edges { node ${nodes} }`}`;
    const selection = [hasPage && page, hasCounts && `totalCount ${selectFacets(traits)}`].filter(Boolean).join(' ');
    const args = {
      ...(random.nextBoolean(0.2) && { query: random.pick(['a', 'O', '0', 'en']) }),
      ...(random.nextBoolean(0.6) && { filter: this.createFilter(traits) }),
      orderBy: { field: random.pick(listSortFields(traits)), direction: random.pick(['ASC', 'DESC'] as const) },
      ...this.#createWindow(),
    };
    return { traits, args, selection, hasPage, hasCounts, isCovered };
  }
}

const LONG_LIST = 101;

/** A chain of three relationships, which is one too many. */
function nestRelationships(type: GraphQLInputType, levels = 3): object {
  const named = getNamedType(type);
  const fields = isInputObjectType(named) ? Object.values(named.getFields()) : [];
  const related = fields.find((field) => !isListType(field.type) && getNamedType(field.type).name.endsWith('SearchFilterInput'));
  if (!related) throw new Error(`${named.name} has no relationship.`);
  return { [related.name]: levels === 1 ? {} : nestRelationships(related.type, levels - 1) };
}

/** Invalid values instead of one without parts. */
function listInvalidValues(type: GraphQLInputType): readonly unknown[] {
  const named = getNamedType(type);
  if (isEnumType(named)) return ['NOTHING', 'OTHER'];
  switch (named.name) {
    case 'ID':
      return ['', toGlobalId('Webhook', 'x')];
    case 'DateTime':
      return ['yesterday', '2026-01-01T00:00:00.1234567Z', 5];
    case 'String':
      return ['', ' \t', 5, {}];
    case 'CurrencyCode':
      return ['euro', 5];
    case 'Boolean':
      return ['yes', 1];
    default:
      throw new Error(`Invalid values of type ${named.name} aren’t known.`);
  }
}

/** All invalid values that differ in one place from a valid value. */
export function* mutate(type: GraphQLInputType, value: unknown): Generator<unknown> {
  if (isNonNullType(type)) return yield* mutate(type.ofType, value);
  if (isListType(type)) {
    const items = value as readonly unknown[];
    yield [];
    yield [...items, null];
    if (!isInputObjectType(getNamedType(type))) yield Array.from({ length: LONG_LIST }, () => items[0]);
    for (const [index, item] of items.entries())
      for (const mutation of mutate(type.ofType, item)) yield items.map((each, position) => (position === index ? mutation : each));
    return;
  }
  if (!isInputObjectType(type)) return yield* listInvalidValues(type);
  yield { ...(value as object), nothing: 1 };
  if (type.isOneOf) yield* [{}, { eq: 'a', contains: 'b' }];
  if (type.getFields().and)
    yield* [
      { ...(value as object), and: [] },
      { ...(value as object), ...nestRelationships(type) },
    ];
  for (const [name, part] of Object.entries(value as object))
    for (const mutation of mutate(type.getFields()[name]?.type as GraphQLInputType, part)) yield { ...(value as object), [name]: mutation };
}

/** A filter that differs in one place from a valid one. */
export const createInvalidFilter = (traits: SearchTraits, valid: object, random: Random): object =>
  random.pick([...mutate(getFilterInput(traits), valid)]) as object;
