import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import type { MessageField, MessageFields } from '../../src/upstream/contract/fields.ts';
import type { ProbeFindings } from './probes.ts';

/** A number of a record, and the operation that returned it. */
interface ObservedNumber {
  readonly value: number;
  readonly operation: string;
}

const isNumeric = ({ kind, unit, list }: MessageField) =>
  !list && (kind === 'int' || kind === 'int64' || kind === 'double') && unit !== 'MOMENT' && unit !== 'VERSION';

/** IDs of a record and of the records that it refers to, such as the product and the location of a balance. Undefined if it has none. */
function createRecordKey({ fields }: MessageFields, json: JsonObject): string | undefined {
  const ids = Object.entries(fields).flatMap(([name, { refers }]) =>
    refers !== undefined && typeof json[name] === 'string' && json[name] !== '' ? [`${name}=${json[name]}`] : [],
  );
  return ids.length > 0 ? ids.join(' ') : undefined;
}

/**
 * The power of ten by which one number is a multiple of the other, at least 10. Null for all other pairs, such as those of a record that changed between two
 * reads.
 */
function findPowerOfTen(one: number, other: number): number | null {
  const [small, large] = [Math.abs(one), Math.abs(other)].sort((left, right) => left - right) as [number, number];
  if (small === 0 || one > 0 !== other > 0) return null;
  const power = Math.round(Math.log10(large / small));
  const isExact = power >= 1 && Math.abs(large / small - 10 ** power) < 1e-6 * 10 ** power;
  return isExact ? 10 ** power : null;
}

/**
 * Finds amounts and quantities that two requests return in different scales for the same record, such as major and minor units, or units and thousandths.
 * Amounts that all requests return in the same wrong scale can't be found, because nothing contradicts them. Stores values, but doesn't report them.
 */
export class ScaleCheck {
  readonly #seen = new Map<string, ObservedNumber>();
  readonly #drifts = new Map<string, string>();

  observe(operation: string, message: MessageFields, response: JsonObject): void {
    const inResponse = new Map<string, ObservedNumber | null>();
    this.#collect(operation, message, response, '', inResponse);
    for (const [key, number] of inResponse) {
      if (number === null) continue;
      const before = this.#seen.get(key);
      if (before) this.#compare(key, before, number);
      else this.#seen.set(key, number);
    }
  }

  report(findings: ProbeFindings): void {
    for (const [coordinate, detail] of this.#drifts) findings.addDrift(coordinate, 'SCALE', detail);
  }

  #compare(key: string, before: ObservedNumber, now: ObservedNumber): void {
    const power = findPowerOfTen(before.value, now.value);
    if (power === null) return;
    const [low, high] = Math.abs(before.value) < Math.abs(now.value) ? [before, now] : [now, before];
    const where = high.operation === low.operation ? 'another request' : low.operation;
    this.#drifts.set(
      key.slice(0, key.indexOf(' ')),
      `${high.operation} returns ${power} times the value that ${where} returns for the same record`,
    );
  }

  /** Collects the numbers of a message by coordinate and record. A number whose record occurs twice is null, because the two can't be distinguished. */
  #collect(operation: string, message: MessageFields, json: JsonObject, owner: string, into: Map<string, ObservedNumber | null>): void {
    const own = createRecordKey(message, json);
    // A message without IDs belongs to the record that contains it.
    const record = own === undefined ? owner : `${message.entity ? '' : owner} ${message.name} ${own}`;
    for (const [name, field] of Object.entries(message.fields)) {
      const value = json[name];
      if (isNumeric(field) && record !== '' && value !== undefined && value !== null && Number.isFinite(Number(value))) {
        const key = `${message.name}.${name} ${record}`;
        into.set(key, into.has(key) ? null : { value: Number(value), operation });
      }
      if (!field.message) continue;
      for (const each of Array.isArray(value) ? value : [value])
        if (isJsonObject(each)) this.#collect(operation, field.message, each, record, into);
    }
  }
}
