import type { IssueCode } from '../../failures/errorCodes.ts';
import type { ValidationIssue } from '../../failures/failures.ts';
import { countDecimals, type Instant } from '../../lib/instant.ts';
import type { AnalyticsEntity, AnalyticsField, ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { toEntityMember, ValueType } from './enums.ts';
import { MAX_PARTS } from './inputs.ts';
import { findNearest } from './nearest.ts';
import { MAX_ROWS, type WirePath } from './wireQuery.ts';

/** Documented limits of a query. Limits in the catalog take precedence. */
const DOCUMENTED_LIMITS = {
  ...MAX_PARTS,
  maxRows: MAX_ROWS,
  maxFilterLevels: 8,
  maxRelationshipHops: 2,
  maxTimeRangeYears: 5,
  maxRelativeOffset: 24,
} as const;

type QueryLimits = Readonly<Record<keyof typeof DOCUMENTED_LIMITS, number>>;

/** Maximum number of decimal places in the seconds of a timestamp. Documented for time ranges; assumed for values. */
const MAX_DECIMALS = 6;

/** Maximum number of reported issues per query. Chosen: that many are enough to see what is wrong. */
const MAX_ISSUES = 20;

/** An entity of the catalog. Undefined if it isn't known. */
export type EntityOrNone = AnalyticsEntity | undefined;

/** A field of the catalog. Undefined if it isn't known. */
export type FieldOrNone = AnalyticsField | undefined;

/** Returns the type of a field’s values. Null if it isn't known or isn't in this schema. */
export function getValueType(field: FieldOrNone): string | null {
  const type = field ? ValueType.fromWire(field.type) : null;
  return type === 'OTHER' ? null : type;
}

/** Members that declare what a field supports. Assumed: the upstream says that its catalog lists this, but not in which format. */
type DeclaredMember = 'operators' | 'aggregations' | 'buckets' | 'supportsCurrentMember';

const isDeclared = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** Returns the name of the only specified member of a `@oneOf` input. */
export const getOnlyMember = (input: object): string =>
  Object.entries(input).find(([, value]) => value !== null && value !== undefined)?.[0] ?? '';

/** Collects the rules that a query violates, as far as the limits and the catalog are known. */
export class Findings {
  readonly issues: ValidationIssue[] = [];
  readonly limits: QueryLimits;
  readonly #catalog: ListCatalogResponse | null;

  constructor(catalog: ListCatalogResponse | null) {
    this.#catalog = catalog;
    const catalogLimits = catalog?.limits;
    this.limits = Object.fromEntries(
      Object.entries(DOCUMENTED_LIMITS).map(([name, limit]) => [name, catalogLimits?.[name as keyof typeof DOCUMENTED_LIMITS] || limit]),
    ) as QueryLimits;
  }

  /** Whether the catalog declares the member for any field. Otherwise it isn't part of the catalog, and the upstream decides. */
  declares(member: DeclaredMember): boolean {
    return this.#catalog?.entities.some(({ fields }) => fields.some((field) => isDeclared(field[member]))) ?? false;
  }

  addIssue(path: WirePath, code: IssueCode, message: string, limit: number | null = null): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path, code, limit, message });
  }

  /** Reports a length or count that exceeds its limit. Returns whether it doesn't. */
  checkMax(count: number, limit: number, things: string, path: WirePath): boolean {
    if (count > limit) this.addIssue(path, 'TOO_LONG', `must have at most ${limit} ${things}, but has ${count}.`, limit);
    return count <= limit;
  }

  /** Reports a timestamp that is more precise than the upstream's. */
  checkPrecision(instant: Instant, path: WirePath): void {
    if (countDecimals(instant) > MAX_DECIMALS)
      this.addIssue(path, 'INVALID_FORMAT', `must have at most ${MAX_DECIMALS} digits of fractional seconds.`, MAX_DECIMALS);
  }

  /** Whether a name is one of these. Otherwise reports an issue that suggests the closest name, or lists up to 30 names. */
  checkName(name: string, names: readonly string[], path: WirePath, thing: string): boolean {
    if (names.includes(name)) return true;
    if (this.issues.length >= MAX_ISSUES) return false;
    const suggestion = findNearest(name, names);
    const quoted = JSON.stringify(name.slice(0, 100));
    const all = names.length === 0 || names.length > 30 ? '' : ` Expected one of ${names.join(', ')}.`;
    this.addIssue(path, 'UNKNOWN_NAME', `must be ${thing}, but is ${quoted}.${suggestion ? ` Did you mean ${suggestion}?` : all}`);
    return false;
  }

  /** Looks up an entity by name. Reports an unknown one. */
  findEntity(name: string, path: WirePath): EntityOrNone {
    const entities = this.#catalog?.entities;
    if (!entities || entities.length === 0) return undefined;
    const names = entities.map((each) => toEntityMember(each.name)).filter((member) => member !== 'OTHER');
    this.checkName(toEntityMember(name), names, path, 'an entity in the catalog of this key');
    return entities.find((each) => each.name === name);
  }

  /** Looks up a field by name. Reports an unknown one if the entity is known. */
  findField(name: string, entity: EntityOrNone, path: WirePath): FieldOrNone {
    if (!entity) return undefined;
    const fields = entity.fields.filter((each) => each.name);
    if (fields.length === 0) return undefined;
    this.checkName(
      name,
      fields.map((each) => each.name),
      path,
      `a field of ${entity.name}`,
    );
    return fields.find((each) => each.name === name);
  }

  /** Looks up the entity that a relationship leads to. Reports an unknown relationship. */
  findRelated(name: string, entity: EntityOrNone, path: WirePath): EntityOrNone {
    if (!entity || !this.#catalog?.entities.some((each) => each.relationships.length > 0)) return undefined;
    const { relationships } = entity;
    const names = relationships.map((each) => each.name);
    this.checkName(name, names, path, `a relationship of ${entity.name}`);
    const target = relationships.find((each) => each.name === name)?.entity;
    return this.#catalog.entities.find((each) => each.name === target);
  }
}
