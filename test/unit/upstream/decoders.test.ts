import { readdirSync } from 'node:fs';
import { inspect, isDeepStrictEqual } from 'node:util';
import { type DescField, type DescMessage, fromJson, type JsonObject, type JsonValue, ScalarType, toJson } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../../src/lib/json.ts';
import * as decoders from '../../../src/upstream/contract/generated/decoders.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';

const GENERATED = new URL('../../../src/upstream/contract/generated/publicapi/v1/', import.meta.url);

const isMessageField = ({ fieldKind, message }: DescField) => fieldKind !== 'map' && message?.typeName.startsWith('publicapi.') === true;

/** All messages in responses, as described by protoc-gen-es, which is independent of the decoders' generator. */
async function responseMessages(): Promise<ReadonlyMap<string, DescMessage>> {
  const found = new Map<string, DescMessage>();
  const add = (message: DescMessage) => {
    if (found.has(message.name)) return;
    found.set(message.name, message);
    for (const field of message.fields) if (field.message && isMessageField(field)) add(field.message);
  };
  for (const file of readdirSync(GENERATED)) {
    for (const value of Object.values<unknown>(await import(new URL(file, GENERATED).href))) {
      if (!isJsonObject(value) || value.kind !== 'service') continue;
      for (const { output } of value.methods as readonly { readonly output: DescMessage }[]) add(output);
    }
  }
  return found;
}

const messages = await responseMessages();
const all = [...messages.values()];

const getMessage = (name: string): DescMessage => {
  const message = messages.get(name);
  if (!message) throw new Error(`No response contains ${name}.`);
  return message;
};

type Decode = (json: object) => Readonly<Record<string, unknown>>;

const getDecoder = ({ name }: DescMessage): Decode => {
  const decode = (decoders as unknown as Readonly<Record<string, Decode>>)[`decode${name}`];
  if (!decode) throw new Error(`No decoder for ${name}.`);
  return decode;
};

const isImplicit = ({ fieldKind, presence }: DescField) => fieldKind === 'list' || fieldKind === 'map' || presence === Presence.IMPLICIT;
const isInt64 = ({ scalar }: DescField) => scalar === ScalarType.INT64;

const DEFAULTS: Readonly<Partial<Record<ScalarType, JsonValue>>> = {
  [ScalarType.STRING]: '',
  [ScalarType.BOOL]: false,
  [ScalarType.INT32]: 0,
  [ScalarType.INT64]: '0',
  [ScalarType.DOUBLE]: 0,
};

/** The default value of a singular field in proto3. */
function getDefault({ scalar, enum: words, parent, name }: DescField): JsonValue {
  const value = words ? words.values.find(({ number }) => number === 0)?.name : scalar && DEFAULTS[scalar];
  if (value === undefined) throw new Error(`No default for ${parent.name}.${name}.`);
  return value;
}

/** Deterministic sequences of numbers and choices. */
class Source {
  #state: number;
  #count = 0;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#count += 1;
    return this.#count;
  }

  chance(share: number): boolean {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32 < share;
  }
}

interface Filling {
  /** Share of fields that are present. */
  readonly present: number;
  /** Share of present values that are the default. */
  readonly defaults: number;
  /** Nesting depth of messages. */
  readonly depth: number;
}

function scalarExample(field: DescField, source: Source): JsonValue {
  const { scalar, enum: words } = field;
  const number = source.next();
  if (words) return (words.values[1 + (number % (words.values.length - 1))] ?? words.values[0])?.name ?? '';
  if (scalar === ScalarType.STRING) return `text ${number}`;
  if (scalar === ScalarType.BOOL) return true;
  // Outside the range of integers that a double represents exactly.
  if (isInt64(field)) return String(2n ** 60n + BigInt(number));
  return scalar === ScalarType.DOUBLE ? number + 0.5 : number;
}

function mapExample({ mapKind }: DescField & { readonly fieldKind: 'map' }, source: Source): JsonObject {
  const entry = (): JsonValue => (mapKind === 'message' ? { deep: [source.next(), null, ''] } : `text ${source.next()}`);
  return { [`key ${source.next()}`]: entry(), '': entry() };
}

/** A message as JSON, with random fields. */
function createExample(message: DescMessage, filling: Filling, source: Source): JsonObject {
  const single = (field: DescField): JsonValue => {
    if (field.message) return createExample(field.message, { ...filling, depth: filling.depth - 1 }, source);
    return source.chance(filling.defaults) ? getDefault(field) : scalarExample(field, source);
  };
  const createMember = (field: DescField): JsonValue => {
    if (field.fieldKind === 'map') return mapExample(field, source);
    return field.fieldKind === 'list' ? [single(field), single(field)] : single(field);
  };
  return Object.fromEntries(
    message.fields
      .filter((field) => (filling.depth > 0 || !isMessageField(field)) && source.chance(filling.present))
      .map((field) => [field.jsonName, createMember(field)]),
  );
}

/** The complete record that a message represents, according to docs/decisions/0025-one-shape-behind-the-transport.md. */
function addDefaults(message: DescMessage, json: JsonObject): Record<string, unknown> {
  const single = (field: DescField, value: JsonValue) => (field.message ? addDefaults(field.message, value as JsonObject) : value);
  const createMember = (field: DescField): unknown => {
    const value = json[field.jsonName];
    if (field.fieldKind === 'map') return value ?? {};
    if (field.fieldKind === 'list') return ((value ?? []) as JsonValue[]).map((item) => single(field, item));
    if (value !== undefined && value !== null) return single(field, value);
    return isImplicit(field) ? getDefault(field) : undefined;
  };
  return Object.fromEntries(message.fields.map((field) => [field.jsonName, createMember(field)]));
}

/** A message in both dialects of proto3 JSON, printed by the protobuf library. */
function createDialects(message: DescMessage, json: JsonObject): readonly [sending: JsonObject, omitting: JsonObject] {
  const parsed = fromJson(message, json);
  const print = (alwaysEmitImplicit: boolean) => toJson(message, parsed, { alwaysEmitImplicit }) as JsonObject;
  return [print(true), print(false)];
}

/** Formats a value as text, including the order of fields and undefined ones. */
const written = (value: unknown) => inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null, breakLength: 200 });

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(Object.freeze(value))) frozen(member);
  return value;
}

const decode = (message: DescMessage, json: JsonObject) => getDecoder(message)(frozen(json));

const FULL: Filling = { present: 1, defaults: 0, depth: 4 };

describe('decoders', () => {
  it('exist for exactly the messages of responses', () => {
    expect(Object.keys(decoders).sort()).toEqual(all.map(({ name }) => `decode${name}`).sort());
    expect(all.length).toBeGreaterThan(250);
  });

  it('belong to the operations', () => {
    for (const { name, response, decode: own } of operations) expect([name, own]).toEqual([name, getDecoder(getMessage(response.name))]);
  });
});

function check(message: DescMessage, json: JsonObject) {
  const dialects = createDialects(message, json);
  const complete = written(addDefaults(message, dialects[1]));
  expect(
    dialects.map((dialect) => written(decode(message, dialect))),
    message.name,
  ).toEqual([complete, complete]);
  return dialects;
}

/** Registers a test that checks every message. A test per message would take longer than its check. */
const itForEach = (title: string, run: (message: DescMessage) => void) => it(title, () => all.forEach(run));

describe('decoder of each message', () => {
  itForEach('returns the same record for both dialects with every field set', (message) => {
    const [sending, omitting] = check(message, createExample(message, FULL, new Source(1)));
    const names = message.fields.map(({ jsonName }) => jsonName);
    expect([Object.keys(sending), Object.keys(omitting)], message.name).toEqual([names, names]);
  });

  itForEach('returns the same record for both dialects with no field set', (message) => {
    const [sending, omitting] = check(message, {});
    expect(omitting).toEqual({});
    expect(Object.keys(sending), message.name).toEqual(message.fields.filter(isImplicit).map(({ jsonName }) => jsonName));
  });

  itForEach('returns the same record for both dialects with every field set to its default', (message) => {
    check(message, createExample(message, { present: 1, defaults: 1, depth: 2 }, new Source(2)));
  });

  itForEach('returns the same record for both dialects with some fields set', (message) => {
    for (let seed = 3; seed < 8; seed += 1)
      check(message, createExample(message, { present: 0.5, defaults: 0.3, depth: 3 }, new Source(seed)));
  });

  itForEach('includes every field, whatever the JSON omits', (message) => {
    for (const json of [{}, createExample(message, FULL, new Source(1))]) {
      const record = decode(message, json);
      expect(Object.keys(record), message.name).toEqual(message.fields.map(({ jsonName }) => jsonName));
      for (const field of message.fields.filter(isImplicit))
        expect([field.jsonName, record[field.jsonName] ?? 'absent']).not.toContain('absent');
    }
  });

  itForEach('treats null as absent', (message) => {
    const nulls = Object.fromEntries(message.fields.map(({ jsonName }) => [jsonName, null]));
    expect(written(decode(message, nulls)), message.name).toBe(written(decode(message, {})));
  });

  itForEach('drops unknown fields at every depth', (message) => {
    const json = createExample(message, FULL, new Source(1));
    const withNews = (value: JsonValue, of: DescMessage): JsonValue => {
      if (!isJsonObject(value)) return value;
      const news = Object.fromEntries(
        of.fields.map((field) => {
          const member = (value as JsonObject)[field.jsonName] ?? null;
          if (!field.message || !isMessageField(field)) return [field.jsonName, member];
          const inner = field.message;
          return [field.jsonName, Array.isArray(member) ? member.map((item) => withNews(item, inner)) : withNews(member, inner)];
        }),
      );
      return { unheardOf: 1, ...news, notYetKnown: { deep: [1] } };
    };
    expect(written(decode(message, withNews(json, message) as JsonObject)), message.name).toBe(written(addDefaults(message, json)));
  });

  itForEach('retains a malformed field, and decodes the rest of the record', (message) => {
    const json = createExample(message, FULL, new Source(1));
    const complete = addDefaults(message, json);
    for (const { jsonName, fieldKind, message: inner } of message.fields) {
      for (const malformed of ['wrong', 1.5, true, [[]], [null], {}] as JsonValue[]) {
        // The outer message is well-formed, but its fields are malformed.
        if (isJsonObject(malformed) && inner && fieldKind === 'message') continue;
        const record = decode(message, { ...json, [jsonName]: malformed });
        expect(isDeepStrictEqual(record, { ...complete, [jsonName]: malformed }) || [message.name, jsonName, malformed, record]).toBe(true);
      }
    }
  });

  itForEach('returns an equal record for a decoded record', (message) => {
    const record = decode(message, createExample(message, { present: 0.5, defaults: 0.3, depth: 3 }, new Source(5)));
    expect(written(getDecoder(message)(record)), message.name).toBe(written(record));
    const serialized = JSON.parse(JSON.stringify(record));
    expect(written(getDecoder(message)(serialized)), message.name).toBe(written(record));
  });
});

describe('64-bit integer', () => {
  const fields = all.flatMap((message) => message.fields.filter(isInt64).map((field) => ({ message, field })));

  it('decodes to a string, even if the upstream sends a number', () => {
    for (const { message, field } of fields) {
      const figures = [0, 7, -7, Number.MAX_SAFE_INTEGER, -0].map(
        (figure) => decode(message, { [field.jsonName]: figure })[field.jsonName],
      );
      expect(figures).toEqual(['0', '7', '-7', '9007199254740991', '0']);
    }
    expect(fields.length).toBeGreaterThan(100);
  });

  it('preserves all digits', () => {
    for (const { message, field } of fields)
      expect(decode(message, { [field.jsonName]: '9223372036854775807' })[field.jsonName]).toBe('9223372036854775807');
  });

  it('remains a number if it has lost digits', () => {
    for (const { message, field } of fields)
      for (const figure of [2 ** 53, 0.5]) expect(decode(message, { [field.jsonName]: figure })[field.jsonName]).toBe(figure);
  });
});

describe('optional field', () => {
  const fields = all.flatMap((message) =>
    message.fields.filter((field) => !isImplicit(field) && !field.message).map((field) => ({ message, field })),
  );

  it('decodes to undefined if absent, and to a value if it’s the default', () => {
    for (const { message, field } of fields) {
      const byDefault = [true, false].map(
        (alwaysEmitImplicit) =>
          toJson(message, fromJson(message, { [field.jsonName]: getDefault(field) }), { alwaysEmitImplicit }) as JsonObject,
      );
      for (const json of byDefault) expect(decode(message, json)[field.jsonName]).toBe(getDefault(field));
      expect([decode(message, {})[field.jsonName], decode(message, { [field.jsonName]: null })[field.jsonName]]).toEqual([
        undefined,
        undefined,
      ]);
    }
    expect(fields.length).toBeGreaterThan(30);
  });
});

describe('enum value', () => {
  const fields = all.flatMap((message) => message.fields.filter((field) => field.enum).map((field) => ({ message, field })));

  it.each(['A_WORD_OF_NEXT_YEAR', '', 'constructor', 4711])('remains unchanged if it’s %j, which the contract doesn’t define', (word) => {
    for (const { message, field } of fields) {
      const value = field.fieldKind === 'list' ? [word] : word;
      expect(decode(message, { [field.jsonName]: value })[field.jsonName]).toEqual(value);
    }
    expect(fields.length).toBeGreaterThan(50);
  });
});

describe('recursive message', () => {
  it('can be decoded at every level', () => {
    const filter = getMessage('AnalyticsFilter');
    let json: JsonObject = { compare: { field: 'total' } };
    for (let depth = 0; depth < 40; depth += 1) json = depth % 2 === 0 ? { all: { children: [json, {}] } } : { related: { filter: json } };
    const [sending, omitting] = createDialects(filter, json);
    expect(sending).not.toEqual(omitting);
    expect(written(decode(filter, sending))).toBe(written(addDefaults(filter, omitting)));
    expect(written(decode(filter, omitting))).toBe(written(addDefaults(filter, omitting)));
  });
});

describe('list or message of another type', () => {
  const orders = getMessage('ListOrdersResponse');
  const order = getMessage('OrderRecord');

  it('remains unchanged, and so do items that aren’t messages', () => {
    const lines = (lineItems: JsonValue) => decode(order, { id: 'o', lineItems }).lineItems;
    const [line] = lines([{ id: 'l' }, null, 'x', [1]]) as readonly unknown[];
    expect(lines([{ id: 'l' }, null, 'x', [1]])).toEqual([decode(getMessage('OrderLineRecord'), { id: 'l' }), null, 'x', [1]]);
    expect(line).toMatchObject({ id: 'l', quantity: 0 });
    expect([lines('x'), lines({ 0: {} }), decode(getMessage('GetOrderResponse'), { order: [{}] }).order]).toEqual(['x', { 0: {} }, [{}]]);
  });

  it('decodes as empty if absent', () => {
    expect(decode(orders, {})).toStrictEqual({ orders: [], page: 0, pageSize: 0, hasMore: false });
  });
});
