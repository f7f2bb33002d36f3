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
import { findIdType } from '../../support/contract/graph.ts';
import type { Input } from '../../support/contract/inputs.ts';
import { EACH, type Mutation, type MutationResult, useMutations } from '../../support/contract/mutations.ts';
import { NEIGHBOR } from '../../support/contract/records.ts';

const testGraph = useMutations();

/** The path of an input value, as reported in errors. For a list, the path of its first item: `0`. */
type Path = readonly string[];

/** Every leaf value of an input type, with its path. */
function listLeaves(type: GraphQLInputObjectType, path: Path = []): (readonly [Path, GraphQLLeafType])[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const nullableType = getNullableType(field.type);
    const innerType = isListType(nullableType) ? getNullableType(nullableType.ofType) : nullableType;
    const fieldPath = [...path, field.name, ...(isListType(nullableType) ? ['0'] : [])];
    if (isInputObjectType(innerType)) return listLeaves(innerType, fieldPath);
    return isLeafType(innerType) ? [[fieldPath, innerType] as const] : [];
  });
}

/** The leaf values of all mutations' inputs that match a condition. */
const listLeafPaths = (matches: (type: GraphQLLeafType, path: Path) => boolean) =>
  EACH.flatMap(([title, mutation]) =>
    listLeaves(mutation.input)
      .filter(([path, type]) => matches(type, path))
      .map(([path]) => [`${title} ${path.join('.')}`, path, mutation] as const),
  );

/** Returns the input with the value at the path. Creates missing parents. */
function withValue(input: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (step === '0') {
    const [first, ...more] = Array.isArray(input) ? input : [];
    return [withValue(first, rest, value), ...more];
  }
  const members = (input ?? {}) as Input;
  return { ...members, [step]: withValue(members[step], rest, value) };
}

/** Reduces each oneOf object on the path to the selected field. */
function pruneUnion(type: GraphQLInputObjectType, input: unknown, [step = '', ...rest]: Path): unknown {
  const field = type.getFields()[step];
  const innerType = field && getNamedType(field.type);
  if (!isInputObjectType(innerType) || rest[0] === '0') return input;
  const members = input as Input;
  const value = pruneUnion(innerType, members[step], rest) as Input | undefined;
  return { ...members, [step]: innerType.isOneOf ? { [rest[0] ?? '']: value?.[rest[0] ?? ''] } : value };
}

const inputs = new Map<Mutation, Promise<Input>>();
let keyCount = 0;

/** Sends a mutation whose input is valid except for one value. Rejections don't change records, so all tests of a mutation share one input. */
async function executeWith(mutation: Mutation, path: Path, value: unknown): Promise<MutationResult> {
  const input = inputs.get(mutation) ?? testGraph.newInput(mutation);
  inputs.set(mutation, input);
  keyCount += 1;
  const applied = withValue({ ...(await input), idempotencyKey: `refused ${keyCount}` }, path, value);
  return testGraph.ask(mutation, pruneUnion(mutation.input, applied, path) as Input);
}

const NOTHING_DONE = { errors: undefined, writes: 0 };

/** A rejection by a rule that the graph knows: the error contains the path, and nothing is sent. */
const expectRefusalAt = (path: Path, more: object = {}) => ({
  result: { __typename: 'ValidationError', issues: expect.arrayContaining([expect.objectContaining({ path, ...more })]) },
  ...NOTHING_DONE,
});

const getFieldName = (path: Path) => path.findLast((step) => step !== '0') ?? '';
/** Folders aren't records of the graph. */
const IDS = listLeafPaths((type, path) => type.name === 'ID' && getFieldName(path) !== 'folderId');
const getIdType = (path: Path, { field }: Mutation) => findIdType(getFieldName(path).replace(/s$/, ''), field);

/** Global IDs with more than a raw ID: an upload ID contains the kind, an invoice ID its order, connection, and version. */
const ID_FORMS: Readonly<Record<string, (rawId: string) => string>> = {
  CustomerFileUpload: (rawId) => toGlobalId('CustomerFileUpload', `DOCUMENT/${rawId}`),
  Invoice: (rawId) => toGlobalId('Invoice', `${rawId}/${rawId}/1`),
};

const formatId = (type: string, rawId: string) => ID_FORMS[type]?.(rawId) ?? rawId;

/** IDs whose error doesn't contain the ID and its path. */
const OTHER_ERRORS: Readonly<Record<string, object>> = {
  'customerCommentCreate attachmentIds.0': { __typename: 'ValidationError' },
  'customerFileUploadComplete uploadId': { __typename: 'NotFoundError' },
};

describe('ID', () => {
  it.each(IDS)('rejects an ID of another type without a call: %s', async (_title, path, mutation) => {
    const result = await executeWith(mutation, path, toGlobalId('Workspace', NOWHERE));
    expect(result).toMatchObject({ ...expectRefusalAt(path), calls: [] });
  });

  it.each(IDS)('rejects a blank or overlong ID without a call: %s', async (_title, path, mutation) => {
    for (const value of [' ', 'x'.repeat(1_001)]) {
      const result = await executeWith(mutation, path, value);
      expect(result).toMatchObject({ ...expectRefusalAt(path), calls: [] });
    }
  });

  it.each(IDS)('returns NotFoundError or ValidationError if it is malformed: %s', async (_title, path, mutation) => {
    const { result, ...more } = await executeWith(mutation, path, 'no id');
    expect(['NotFoundError', 'ValidationError']).toContain(result.__typename);
    expect(more).toMatchObject(NOTHING_DONE);
  });

  const foreignIds = new Map<string, Promise<string>>();
  const getForeignId = async (type: string) => {
    const id = foreignIds.get(type) ?? testGraph.recordsOf(NEIGHBOR).id(type);
    foreignIds.set(type, id);
    return id;
  };

  it.each(IDS)('returns the same error for another workspace’s record as for a missing one: %s', async (title, path, mutation) => {
    const type = getIdType(path, mutation);
    const [none, other] = [formatId(type, NOWHERE), await getForeignId(type)];
    const missingResult = await executeWith(mutation, path, none);
    expect(missingResult).toMatchObject({
      result: OTHER_ERRORS[title] ?? { __typename: 'NotFoundError', missingId: none, path },
      ...NOTHING_DONE,
    });
    const foreignResult = await executeWith(mutation, path, other);
    // Contains several IDs. The error reports the ID of the order.
    if (type === 'Invoice') return expect(foreignResult).toMatchObject({ result: { __typename: 'NotFoundError', path }, ...NOTHING_DONE });
    const decodeRawId = (id: string) => Buffer.from(id, 'base64url').toString().replace(/^.*\//, '');
    const text = JSON.stringify(foreignResult).replaceAll(decodeRawId(other), NOWHERE).replaceAll(other, none);
    expect(JSON.parse(text)).toEqual(missingResult);
  });
});

describe('expectedVersion', () => {
  const versioned = EACH.filter(([, { operation }]) => operation.versionField !== undefined);

  it.each(versioned)('returns VersionConflictError with the current version if it doesn’t match: %s', async (_title, mutation) => {
    const { result, ...more } = await executeWith(mutation, ['expectedVersion'], '99');
    expect(result).toMatchObject({ __typename: 'VersionConflictError', expectedVersion: '99', currentVersion: '1', retry: 'NEVER' });
    expect(result.current.__typename.toLowerCase()).toContain(mutation.field.replace(/[A-Z].*/, ''));
    expect(more).toMatchObject(NOTHING_DONE);
  });

  it.each(versioned)('rejects a malformed version without a call: %s', async (_title, mutation) => {
    for (const version of ['', ' ', 'x'.repeat(201)]) {
      const { result, errors, calls, writes } = await executeWith(mutation, ['expectedVersion'], version);
      expect([result, errors?.[0]?.extensions.code, calls, writes]).toEqual([null, 'BAD_USER_INPUT', [], 0]);
    }
  });
});

describe('amount in another currency than its record', () => {
  /** The currency of a new product is that of its prices. */
  const amounts = listLeafPaths((type, path) => type.name === 'CurrencyCode' && path.length > 1).filter(
    ([title]) => !title.startsWith('productCreate ') && !title.includes('.0.'),
  );

  it.each(amounts)('rejects the amount after reading only the record: %s', async (_title, path, mutation) => {
    const money = { minorUnits: '1', currencyCode: 'USD' };
    const outcome = await executeWith(mutation, path.slice(0, -1), money);
    expect(outcome).toMatchObject(expectRefusalAt(path, { code: 'NOT_ALLOWED' }));
    expect(outcome.calls).toEqual([expect.stringMatching(/Get(Order|Payment|Product)$/)]);
  });
});

describe('enum value OTHER', () => {
  it.each(listLeafPaths(isEnumType))('rejects OTHER without a call: %s', async (_title, path, mutation) => {
    expect(await executeWith(mutation, path, 'OTHER')).toMatchObject({ ...expectRefusalAt(path, { code: 'NOT_ALLOWED' }), calls: [] });
  });
});

describe('unknown enum value', () => {
  it.each(listLeafPaths(isEnumType))('rejects the value without a call: %s', async (_title, path, mutation) => {
    const { result, errors, calls, writes } = await executeWith(mutation, path, 'NO_SUCH_WORD');
    expect([result, calls, writes]).toEqual([null, [], 0]);
    expect(errors).toMatchObject([{ message: expect.stringContaining('NO_SUCH_WORD'), extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

/** Request fields that have another name in the graph. */
const RENAMED: Readonly<Record<string, string>> = {
  attachments: 'attachmentIds',
  lineItems: 'lines',
  refundRequestId: 'idempotencyKey',
  externalOperationId: 'idempotencyKey',
  requestId: 'idempotencyKey',
};

/** The rules of a request, each with its path in the input. */
const listRules = ({ fields }: Rules, path: Path = []): (readonly [Path, Rule])[] =>
  Object.entries(fields).flatMap(([name, rule]) => {
    const fieldPath = [...path, RENAMED[name] ?? name];
    return [[fieldPath, rule] as const, ...(rule.each ? listRules(rule.each, [...fieldPath, '0']) : [])];
  });

/** Strings with a rule. The rule of the idempotency key applies to every mutation. */
const STRING_RULES = EACH.flatMap(([title, mutation]) => {
  const places = new Set(listLeaves(mutation.input).map(([path]) => path.join('.')));
  const rules = [...listRules(mutation.operation.rules), [['idempotencyKey'], { maxLength: 200, pattern: '\\S' }] as const];
  return rules
    .filter(([, { maxLength, pattern }]) => maxLength !== undefined || pattern === '\\S')
    .map(([path, rule]) => {
      if (!places.has(path.join('.'))) throw new Error(`${title} has no ${path.join('.')}: say in RENAMED what its input calls it.`);
      return [`${title} ${path.join('.')}`, path, rule, mutation] as const;
    });
});

/** The maximum lengths that the upstream documents, by mutation and path. */
const DOCUMENTED_LIMITS: Readonly<Record<string, number>> = {
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
const DOCUMENTED_AS_NON_BLANK = ['inventoryAdjust reason', 'roleCreate name', 'roleUpdate name', 'teamUpdate name'];

const isKey = (title: string) => title.endsWith(' idempotencyKey');

/** The graph enforces documented rules and reports path and rule. The upstream can enforce the others, with its own message. */
function expectRefusal({ calls, ...result }: MutationResult, isDocumented: boolean, path: Path, issue: object): void {
  if (isDocumented) expect(calls).toEqual([]);
  expect(result).toMatchObject(
    calls.length === 0 ? expectRefusalAt(path, issue) : { result: { __typename: 'ValidationError' }, ...NOTHING_DONE },
  );
}

/** Lists with a rule. */
const LISTS = EACH.flatMap(([title, mutation]) =>
  listRules(mutation.operation.rules)
    .filter(([, { maxItems }]) => maxItems !== undefined)
    .map(([path, { maxItems = 0 }]) => [`${title} ${path.join('.')}`, path, maxItems, mutation] as const),
);

describe('string', () => {
  const limited = STRING_RULES.flatMap(([title, path, { maxLength }, mutation]) =>
    maxLength === undefined ? [] : [[title, path, DOCUMENTED_LIMITS[title] ?? maxLength, mutation] as const],
  );

  it.each(limited)('rejects an overlong string: %s', async (title, path, limit, mutation) => {
    const result = await executeWith(mutation, path, '€'.repeat(limit + 1));
    expectRefusal(result, title in DOCUMENTED_LIMITS || isKey(title), path, { code: 'TOO_LONG', limit });
  });

  it.each(STRING_RULES.filter(([, , { pattern }]) => pattern === '\\S'))(
    'rejects a blank string: %s',
    async (title, path, _rule, mutation) => {
      const result = await executeWith(mutation, path, ' ');
      expectRefusal(result, DOCUMENTED_AS_NON_BLANK.includes(title) || isKey(title), path, { code: 'BLANK' });
    },
  );

  it('has a rule in the contract if its limit is documented', () => {
    const known: readonly string[] = [...limited, ...LISTS].map(([title]) => title);
    expect(Object.keys(DOCUMENTED_LIMITS).filter((title) => !known.includes(title))).toEqual([]);
  });
});

describe('list', () => {
  /** A list item that no valid input contains. */
  const createItem = ({ input }: Mutation, path: Path) =>
    listLeaves(input)
      .filter(([leafPath]) => leafPath.join('.').startsWith(`${path.join('.')}.`))
      .reduce<unknown>((entry, [leafPath]) => withValue(entry, leafPath.slice(path.length + 1), NOWHERE), undefined);

  /** Fields that are objects with arbitrary keys, whose number is limited. */
  const OBJECTS = new Set(['advancedTaskUpdate values']);

  it.each(LISTS)('rejects an overlong list: %s', async (title, path, maxItems, mutation) => {
    const limit = DOCUMENTED_LIMITS[title] ?? maxItems;
    const [name = ''] = path;
    const applied = (await testGraph.newInput(mutation))[name] as readonly unknown[] | undefined;
    const entry = applied?.[0] ?? createItem(mutation, path);
    const entries = Array(limit + 1).fill(entry);
    const value = OBJECTS.has(title) ? Object.fromEntries(entries.map((_entry, index) => [`name ${index}`, 'x'])) : entries;
    const result = await executeWith(mutation, path, value);
    expectRefusal(result, title in DOCUMENTED_LIMITS, path, { code: 'TOO_LONG', limit });
  });
});
