import {
  type GraphQLInputObjectType,
  type GraphQLLeafType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import type { Rule, Rules } from '../../../src/upstream/contract/operation.ts';
import { NOWHERE } from '../../sandbox/stock.ts';
import { idType } from '../../support/contract/graph.ts';
import type { Input } from '../../support/contract/inputs.ts';
import { EACH, type Mutation, type MutationResult, useMutations } from '../../support/contract/mutations.ts';
import { NEIGHBOR } from '../../support/contract/records.ts';

const testGraph = useMutations();

/** A place in an input, as failures tell it. Of a list, its first entry: `0`. */
type Path = readonly string[];

/** Every value that an input can hold, by its place. */
function leavesOf(type: GraphQLInputObjectType, path: Path = []): (readonly [Path, GraphQLLeafType])[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const bare = getNullableType(field.type);
    const inner = isListType(bare) ? getNullableType(bare.ofType) : bare;
    const here = [...path, field.name, ...(isListType(bare) ? ['0'] : [])];
    if (isInputObjectType(inner)) return leavesOf(inner, here);
    return isLeafType(inner) ? [[here, inner] as const] : [];
  });
}

/** Places in the inputs of all mutations whose value the test asks for. */
const placesOf = (isAskedFor: (type: GraphQLLeafType, path: Path) => boolean) =>
  EACH.flatMap(([title, mutation]) =>
    leavesOf(mutation.input)
      .filter(([path, type]) => isAskedFor(type, path))
      .map(([path]) => [`${title} ${path.join('.')}`, path, mutation] as const),
  );

/** The input with a value at a place, which is made where it is not. */
function withValue(input: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (step === '0') {
    const [first, ...more] = Array.isArray(input) ? input : [];
    return [withValue(first, rest, value), ...more];
  }
  const members = (input ?? {}) as Input;
  return { ...members, [step]: withValue(members[step], rest, value) };
}

/** The input without the other members where a type takes one member only, on the way to a place. */
function oneOf(type: GraphQLInputObjectType, input: unknown, [step = '', ...rest]: Path): unknown {
  const field = type.getFields()[step];
  const inner = field && getNamedType(field.type);
  if (!isInputObjectType(inner) || rest[0] === '0') return input;
  const members = input as Input;
  const value = oneOf(inner, members[step], rest) as Input | undefined;
  return { ...members, [step]: inner.isOneOf ? { [rest[0] ?? '']: value?.[rest[0] ?? ''] } : value };
}

const inputs = new Map<Mutation, Promise<Input>>();
let keys = 0;

/** Asks for an act that could be done, but for one value. A refusal leaves the act to be asked for: all tests of a mutation share it. */
async function askWith(mutation: Mutation, path: Path, value: unknown): Promise<MutationResult> {
  const input = inputs.get(mutation) ?? testGraph.newInput(mutation);
  inputs.set(mutation, input);
  keys += 1;
  const given = withValue({ ...(await input), idempotencyKey: `refused ${keys}` }, path, value);
  return testGraph.ask(mutation, oneOf(mutation.input, given, path) as Input);
}

const NOTHING_DONE = { errors: undefined, writes: 0 };

/** A refusal of a value, of which the graph knows the rule: it names the place, and sends nothing. */
const refusalAt = (path: Path, more: object = {}) => ({
  told: { __typename: 'ValidationError', issues: expect.arrayContaining([expect.objectContaining({ path, ...more })]) },
  ...NOTHING_DONE,
});

const nameOf = (path: Path) => path.findLast((step) => step !== '0') ?? '';
/** Folders are no records of the graph. */
const IDS = placesOf((type, path) => type.name === 'ID' && nameOf(path) !== 'folderId');
const typeAt = (path: Path, { field }: Mutation) => idType(nameOf(path).replace(/s$/, ''), field);

/** Ids that are made of more than a raw id: that of an upload tells its kind, that of an invoice its order, connection and version. */
const ID_FORMS: Readonly<Record<string, (rawId: string) => string>> = {
  CustomerFileUpload: (rawId) => toGlobalId('CustomerFileUpload', `DOCUMENT/${rawId}`),
  Invoice: (rawId) => toGlobalId('Invoice', `${rawId}/${rawId}/1`),
};

const written = (type: string, rawId: string) => ID_FORMS[type]?.(rawId) ?? rawId;

/** Refusals of ids that are told in another way than by the id and its place. */
const OTHERWISE: Readonly<Record<string, object>> = {
  'customerCommentCreate attachmentIds.0': { __typename: 'ValidationError' },
  'customerFileUploadComplete uploadId': { __typename: 'NotFoundError' },
};

describe('an id', () => {
  it.each(IDS)('of another type is refused before anything is sent: %s', async (_title, path, mutation) => {
    const result = await askWith(mutation, path, toGlobalId('Workspace', NOWHERE));
    expect(result).toMatchObject({ ...refusalAt(path), calls: [] });
  });

  it.each(IDS)('that is blank, or too long, is refused before anything is sent: %s', async (_title, path, mutation) => {
    for (const value of [' ', 'x'.repeat(1_001)]) {
      const result = await askWith(mutation, path, value);
      expect(result).toMatchObject({ ...refusalAt(path), calls: [] });
    }
  });

  it.each(IDS)('that cannot be one names no record: %s', async (_title, path, mutation) => {
    const { result, ...more } = await askWith(mutation, path, 'no id');
    expect(['NotFoundError', 'ValidationError']).toContain(result.__typename);
    expect(more).toMatchObject(NOTHING_DONE);
  });

  const theirs = new Map<string, Promise<string>>();
  const theirId = async (type: string) => {
    const id = theirs.get(type) ?? testGraph.recordsOf(NEIGHBOR).id(type);
    theirs.set(type, id);
    return id;
  };

  it.each(IDS)('of another workspace’s record is like one that names none: %s', async (title, path, mutation) => {
    const type = typeAt(path, mutation);
    const [none, other] = [written(type, NOWHERE), await theirId(type)];
    const ofNone = await askWith(mutation, path, none);
    expect(ofNone).toMatchObject({ told: OTHERWISE[title] ?? { __typename: 'NotFoundError', missingId: none, path }, ...NOTHING_DONE });
    const ofOther = await askWith(mutation, path, other);
    // Made of several ids, of which the refusal names the order's.
    if (type === 'Invoice') return expect(ofOther).toMatchObject({ told: { __typename: 'NotFoundError', path }, ...NOTHING_DONE });
    const rawIdOf = (id: string) => Buffer.from(id, 'base64url').toString().replace(/^.*\//, '');
    const text = JSON.stringify(ofOther).replaceAll(rawIdOf(other), NOWHERE).replaceAll(other, none);
    expect(JSON.parse(text)).toEqual(ofNone);
  });
});

describe('a version', () => {
  const versioned = EACH.filter(([, { operation }]) => operation.versionField !== undefined);

  it.each(versioned)('other than that of the record is a conflict, which tells the version that it has: %s', async (_title, mutation) => {
    const { result, ...more } = await askWith(mutation, ['expectedVersion'], '99');
    expect(result).toMatchObject({ __typename: 'VersionConflictError', expectedVersion: '99', currentVersion: '1', retry: 'NEVER' });
    expect(result.current.__typename.toLowerCase()).toContain(mutation.field.replace(/[A-Z].*/, ''));
    expect(more).toMatchObject(NOTHING_DONE);
  });

  it.each(versioned)('that is none is refused before anything is sent: %s', async (_title, mutation) => {
    for (const version of ['', ' ', 'x'.repeat(201)]) {
      const { result, errors, calls, writes } = await askWith(mutation, ['expectedVersion'], version);
      expect([result, errors?.[0]?.extensions.code, calls, writes]).toEqual([null, 'BAD_USER_INPUT', [], 0]);
    }
  });
});

describe('an amount in another currency than that of its record', () => {
  /** A new product takes the currency of its prices. */
  const amounts = placesOf((type, path) => type.name === 'CurrencyCode' && path.length > 1).filter(
    ([title]) => !title.startsWith('productCreate ') && !title.includes('.0.'),
  );

  it.each(amounts)('is refused, and nothing but the record is read: %s', async (_title, path, mutation) => {
    const money = { minorUnits: '1', currencyCode: 'USD' };
    const outcome = await askWith(mutation, path.slice(0, -1), money);
    expect(outcome).toMatchObject(refusalAt(path, { code: 'NOT_ALLOWED' }));
    expect(outcome.calls).toEqual([expect.stringMatching(/Get(Order|Payment|Product)$/)]);
  });
});

describe('a word that stands for no word in particular', () => {
  it.each(placesOf(isEnumType))('is refused before anything is sent: %s', async (_title, path, mutation) => {
    expect(await askWith(mutation, path, 'OTHER')).toMatchObject({ ...refusalAt(path, { code: 'NOT_ALLOWED' }), calls: [] });
  });
});

describe('a word that an enum does not have', () => {
  it.each(placesOf(isEnumType))('is refused before anything is sent: %s', async (_title, path, mutation) => {
    const { result, errors, calls, writes } = await askWith(mutation, path, 'NO_SUCH_WORD');
    expect([result, calls, writes]).toEqual([null, [], 0]);
    expect(errors).toMatchObject([{ message: expect.stringContaining('NO_SUCH_WORD'), extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

/** Names of a request in the words of the graph, where they differ. */
const RENAMED: Readonly<Record<string, string>> = {
  attachments: 'attachmentIds',
  lineItems: 'lines',
  refundRequestId: 'idempotencyKey',
  externalOperationId: 'idempotencyKey',
  requestId: 'idempotencyKey',
};

/** The rules of a request, each with its place in the input. */
const rulesIn = ({ fields }: Rules, path: Path = []): (readonly [Path, Rule])[] =>
  Object.entries(fields).flatMap(([name, rule]) => {
    const here = [...path, RENAMED[name] ?? name];
    return [[here, rule] as const, ...(rule.each ? rulesIn(rule.each, [...here, '0']) : [])];
  });

/** Texts with a rule. That of a key holds for every mutation. */
const TEXTS = EACH.flatMap(([title, mutation]) => {
  const places = new Set(leavesOf(mutation.input).map(([path]) => path.join('.')));
  const rules = [...rulesIn(mutation.operation.rules), [['idempotencyKey'], { maxLength: 200, pattern: '\\S' }] as const];
  return rules
    .filter(([, { maxLength, pattern }]) => maxLength !== undefined || pattern === '\\S')
    .map(([path, rule]) => {
      if (!places.has(path.join('.'))) throw new Error(`${title} has no ${path.join('.')}: say in RENAMED what its input calls it.`);
      return [`${title} ${path.join('.')}`, path, rule, mutation] as const;
    });
});

/** The most that the upstream's documentation states, by mutation and place, and the texts that it states to be blank never. */
const STATED_LIMITS: Readonly<Record<string, number>> = {
  'inventoryAdjust reason': 1_000,
  'inventoryMove lines': 100,
  'inventoryMove notes': 2_000,
  'inventoryMove reference': 200,
  'inventoryReceiptCreate notes': 2_000,
  'inventoryReceiptCreate reference': 200,
  'inventoryReceiptLineAdd notes': 1_000,
  'roleCreate description': 1_000,
  'roleCreate name': 50,
  'roleUpdate description': 1_000,
  'roleUpdate name': 50,
  'teamUpdate description': 1_000,
  'teamUpdate name': 50,
};
const STATED_TEXTS = ['inventoryAdjust reason', 'roleCreate name', 'roleUpdate name', 'teamUpdate name'];

const isKey = (title: string) => title.endsWith(' idempotencyKey');

/** A rule that is stated is refused by the graph, which names place and rule. Any other one may be left to the upstream, which tells it in its words. */
function expectRefusal({ calls, ...result }: MutationResult, isStated: boolean, path: Path, issue: object): void {
  if (isStated) expect(calls).toEqual([]);
  expect(result).toMatchObject(calls.length === 0 ? refusalAt(path, issue) : { told: { __typename: 'ValidationError' }, ...NOTHING_DONE });
}

/** Lists with a rule. */
const lists = EACH.flatMap(([title, mutation]) =>
  rulesIn(mutation.operation.rules)
    .filter(([, { maxItems }]) => maxItems !== undefined)
    .map(([path, { maxItems = 0 }]) => [`${title} ${path.join('.')}`, path, maxItems, mutation] as const),
);

describe('a text', () => {
  const limited = TEXTS.flatMap(([title, path, { maxLength }, mutation]) =>
    maxLength === undefined ? [] : [[title, path, STATED_LIMITS[title] ?? maxLength, mutation] as const],
  );

  it.each(limited)('that is too long is refused: %s', async (title, path, limit, mutation) => {
    const result = await askWith(mutation, path, '€'.repeat(limit + 1));
    expectRefusal(result, title in STATED_LIMITS || isKey(title), path, { code: 'TOO_LONG', limit });
  });

  it.each(TEXTS.filter(([, , { pattern }]) => pattern === '\\S'))('that is blank is refused: %s', async (title, path, _rule, mutation) => {
    const result = await askWith(mutation, path, ' ');
    expectRefusal(result, STATED_TEXTS.includes(title) || isKey(title), path, { code: 'BLANK' });
  });

  it('has a rule in the contract wherever a limit is stated', () => {
    const known: readonly string[] = [...limited, ...lists].map(([title]) => title);
    expect(Object.keys(STATED_LIMITS).filter((title) => !known.includes(title))).toEqual([]);
  });
});

describe('a list', () => {
  /** An entry of a list that no valid input has. */
  const newEntry = ({ input }: Mutation, path: Path) =>
    leavesOf(input)
      .filter(([place]) => place.join('.').startsWith(`${path.join('.')}.`))
      .reduce<unknown>((entry, [place]) => withValue(entry, place.slice(path.length + 1), NOWHERE), undefined);

  /** Objects of any names, of which the number is limited. */
  const objects = new Set(['advancedTaskUpdate values']);

  it.each(lists)('that is too long is refused: %s', async (title, path, maxItems, mutation) => {
    const limit = STATED_LIMITS[title] ?? maxItems;
    const [name = ''] = path;
    const given = (await testGraph.newInput(mutation))[name] as readonly unknown[] | undefined;
    const entry = given?.[0] ?? newEntry(mutation, path);
    const entries = Array(limit + 1).fill(entry);
    const value = objects.has(title) ? Object.fromEntries(entries.map((_entry, index) => [`name ${index}`, 'x'])) : entries;
    const result = await askWith(mutation, path, value);
    expectRefusal(result, title in STATED_LIMITS, path, { code: 'TOO_LONG', limit });
  });
});
