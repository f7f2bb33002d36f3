import { type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { uuid } from '../../sandbox/random.ts';
import type { Endpoint } from '../../sandbox/service.ts';
import { operations } from '../../src/upstream/generated/operations.ts';
import type { Rules } from '../../src/upstream/operation.ts';

/** The kinds of records that ids in requests are of, as the demo data names them. */
const KIND_OF_SERVICE: Readonly<Record<string, string>> = {
  Contact: 'contact',
  Customer: 'customer',
  Portfolio: 'portfolio',
  Catalog: 'product',
  Quote: 'quote',
  Order: 'order',
};

function kindOf(jsonName: string, service: string): string | undefined {
  if (jsonName === 'id') return KIND_OF_SERVICE[service];
  return /(customer|portfolio|contact|product|quote|order|location|discount)Id$/i.exec(jsonName)?.[1]?.toLowerCase();
}

function textFor(field: DescField, service: string, rules: Rules | undefined, seed: number): string {
  const kind = kindOf(field.jsonName, service);
  if (kind) return uuid(seed, `demo ${kind} 0`);
  const pattern = rules?.fields[field.jsonName]?.pattern;
  if (pattern?.includes('{2}')) return 'NL';
  if (pattern?.includes('{3}')) return 'EUR';
  return rules?.fields[field.jsonName]?.in?.[0] ?? '5';
}

function valueFor(field: DescField, service: string, rules: Rules | undefined, seed: number): JsonValue {
  const inner = rules?.fields[field.jsonName]?.each;
  const single = (): JsonValue => {
    if (field.message?.typeName === 'google.protobuf.Value') return 'x';
    if (field.message) return objectFor(field.message, service, inner, seed);
    if (field.enum) return field.enum.values[1]?.number ?? 0;
    if (field.scalar === ScalarType.BOOL) return true;
    return field.scalar === ScalarType.STRING ? textFor(field, service, rules, seed) : 1;
  };
  if (field.fieldKind === 'list') return [single()];
  return field.fieldKind === 'map' ? { Notes: single() } : single();
}

function objectFor(message: DescMessage, service: string, rules: Rules | undefined, seed: number): JsonObject {
  const exclusive = new Set(rules?.exactlyOne?.slice(1));
  const given = message.fields.filter(({ jsonName }) => !exclusive.has(jsonName));
  return Object.fromEntries(given.map((field) => [field.jsonName, valueFor(field, service, rules, seed)]));
}

/** A request with a plausible value in every field, made from the contract; ids are those of the seed's demo data. */
export function requestFor({ name, method }: Endpoint, seed: number): JsonObject {
  const operation = operations.find((candidate) => candidate.name === name);
  return objectFor(method.input, method.parent.name, operation?.rules, seed);
}
