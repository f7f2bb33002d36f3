// Defines the searches.
import '../../src/graph.ts';
import { findNearest } from '../../src/schema/analytics/nearest.ts';
import type { IndexUse } from '../../src/schema/search/filters.ts';
import { listSearches } from '../../src/schema/search/searches.ts';
import type { Index, MessageField } from '../../src/upstream/contract/fields.ts';
import { ListCatalog } from '../../src/upstream/contract/generated/operations.ts';
import type { AnalyticsEntity, AnalyticsField } from '../../src/upstream/contract/generated/records.ts';
import { type IndexOverlay, REQUIRED_COLUMNS } from '../../src/upstream/contract/indexOverlay.ts';
import type { WireIndex, WireIndexes } from '../../src/upstream/contract/wireIndexes.ts';
import type { UnreachedReason } from './caller.ts';
import type { ProbeContext, ProbeFindings } from './probes.ts';
import { normalizeName } from './sharedRenames.ts';

/** An index that the catalog contains, with the columns that it has. */
export interface FoundIndex {
  readonly index: Index;
  /** By the contract's names. */
  readonly columns: readonly string[];
}

/** Coordinate of an index, or of one of its columns or relationships. */
export const createIndexCoordinate = (...names: readonly string[]): string => ['indexes', ...names].join('.');

/** Type of the column that contains a member. */
function getColumnType({ kind, unit }: MessageField): AnalyticsField['type'] {
  if (unit === 'MOMENT') return 'ANALYTICS_FIELD_TYPE_TIMESTAMP';
  if (unit === 'MINOR') return 'ANALYTICS_FIELD_TYPE_MONEY';
  if (kind === 'bool') return 'ANALYTICS_FIELD_TYPE_BOOLEAN';
  return kind === 'int' || kind === 'int64' ? 'ANALYTICS_FIELD_TYPE_INTEGER' : 'ANALYTICS_FIELD_TYPE_TEXT';
}

const shortenName = (name: string) => name.replace(/^ANALYTICS_(FIELD_TYPE|OPERATOR)_/, '');

/**
 * Finds the catalog's name of something that it lacks under the contract's name, among names that mean nothing else: another spelling, a similar name, or the
 * only one if the contract lacks only one.
 */
function findOtherName(own: readonly string[], candidates: readonly string[], isOnlyOne: boolean): string | undefined {
  const same = candidates.find((candidate) => own.some((name) => normalizeName(name) === normalizeName(candidate)));
  return same ?? findNearest(own[0] ?? '', candidates) ?? (isOnlyOne && candidates.length === 1 ? candidates[0] : undefined);
}

/** Compares one index with the catalog, and collects what an overlay must correct. */
class IndexComparison {
  readonly #index: Index;
  readonly #entity: AnalyticsEntity;
  readonly #wire: WireIndex;
  readonly #findings: ProbeFindings;
  readonly #names = new Map<string, string>();
  readonly columns: Record<string, string | null> = {};
  readonly relationships: Record<string, string | null> = {};

  constructor(index: Index, entity: AnalyticsEntity, wire: WireIndex, findings: ProbeFindings) {
    this.#index = index;
    this.#entity = entity;
    this.#wire = wire;
    this.#findings = findings;
  }

  /** The columns that the catalog has, by their names in the contract. */
  get knownColumns(): readonly string[] {
    return [...this.#names.keys()];
  }

  #report(kind: string, name: string, isKnown: boolean, missing: string | undefined, noun: string): void {
    const { root } = this.#index;
    const coordinate = createIndexCoordinate(root, name);
    this.#findings.addAssumption(kind, `${root}.${name}`, isKnown);
    if (isKnown) this.#findings.addConfirmed(coordinate);
    else if (missing === undefined) this.#findings.addDrift(coordinate, 'INDEX_MISSING', `the catalog has no such ${noun}`);
    else this.#findings.addDrift(coordinate, 'INDEX_NAME', `named ${missing}`);
  }

  compareColumns(): void {
    const { record, columns } = this.#index;
    const fields = new Map(this.#entity.fields.map((field) => [field.name, field]));
    const members = Object.entries(columns).filter(([, column]) => this.#wire.columns.has(column));
    const getName = (column: string) => this.#wire.columns.get(column)?.name ?? column;
    const used = new Set(members.map(([, column]) => getName(column)));
    const missing = members.filter(([, column]) => !fields.has(getName(column)));
    for (const [member, column] of members) {
      const type = getColumnType(record.fields[member] as MessageField);
      const hasType = ([each]: readonly [string, string]) => getColumnType(record.fields[each] as MessageField) === type;
      const field = fields.get(getName(column));
      const candidates = [...fields.values()].filter(({ name, type: other }) => other === type && !used.has(name)).map(({ name }) => name);
      const other = field ? undefined : findOtherName([column, member], candidates, missing.filter(hasType).length === 1);
      this.#report('index columns', column, field !== undefined, other, 'column');
      if (field && field.type !== type)
        this.#findings.addDrift(
          createIndexCoordinate(this.#index.root, column),
          'INDEX_TYPE',
          `is of type ${shortenName(field.type)}, expected ${shortenName(type)}`,
        );
      if (!field) this.columns[column] = other ?? null;
      if (other !== undefined) used.add(other);
      const name = field?.name ?? other;
      if (name !== undefined) this.#names.set(column, name);
    }
  }

  /** `getRoot` returns the catalog's name of a root. */
  compareRelationships(getRoot: (root: string) => string | undefined): void {
    const known = new Set(this.#entity.relationships.map(({ name }) => name));
    const used = new Set(this.#wire.relationships.values());
    for (const [relationship, name] of this.#wire.relationships) {
      const target = getRoot(this.#index.relationships[relationship] ?? '');
      const candidates = this.#entity.relationships
        .filter((each) => !used.has(each.name) && each.entity === target)
        .map((each) => each.name);
      const other = known.has(name) ? undefined : findOtherName([relationship], candidates, true);
      this.#report('index relationships', relationship, known.has(name), other, 'relationship');
      if (!known.has(name)) this.relationships[relationship] = other ?? null;
      if (other !== undefined) used.add(other);
    }
  }

  /** Reports operators that a search uses. A catalog without operators declares none. */
  compareOperators(uses: readonly IndexUse[]): void {
    if (this.#entity.fields.every(({ operators }) => operators.length === 0)) return;
    for (const [column, ofColumn] of Map.groupBy(uses, ({ column }) => column)) {
      const name = this.#names.get(column ?? '');
      const field = this.#entity.fields.find((each) => each.name === name);
      if (!field) continue;
      const operators: readonly string[] = field.operators;
      const missing = new Set(ofColumn.map(({ operator = '' }) => operator).filter((operator) => !operators.includes(operator)));
      if (missing.size > 0)
        this.#findings.addDrift(
          createIndexCoordinate(this.#index.root, column ?? ''),
          'INDEX_OPERATOR',
          `lacks the operators ${[...missing].map(shortenName).join(', ')}`,
        );
    }
  }
}

/** Names of the root of an index, most likely first. */
const listRootNames = ({ root, record }: Index): readonly string[] => [root, `${record.entity ?? root}s`];

/** Reports an index as unreached, with its columns and relationships. */
function addUnreached({ root, columns, relationships }: Index, reason: UnreachedReason, findings: ProbeFindings): void {
  for (const name of [...Object.values(columns), ...Object.keys(relationships)])
    findings.addUnreached(createIndexCoordinate(root, name), reason);
}

const isEmpty = (value: object) => Object.keys(value).length === 0;

/** Creates the overlay of an index. Null if its search can't work. Undefined if there is nothing to correct. */
function createIndexOverlay(root: string | undefined, { columns, relationships }: IndexComparison): IndexOverlay | null | undefined {
  if (Object.entries(columns).some(([column, name]) => name === null && REQUIRED_COLUMNS.has(column))) return null;
  if (root === undefined && isEmpty(columns) && isEmpty(relationships)) return undefined;
  return {
    ...(root !== undefined && { root }),
    ...(!isEmpty(columns) && { columns }),
    ...(!isEmpty(relationships) && { relationships }),
  };
}

/** Returns the catalog's name of each root that it has, by the contract's name. */
function findRoots(all: readonly Index[], entities: readonly AnalyticsEntity[], indexes: WireIndexes): ReadonlyMap<string, string> {
  const names = entities.map(({ name }) => name);
  const roots = new Map<string, string>();
  const used = new Set(all.map(({ root }) => indexes.require(root).root));
  for (const index of all) {
    const { root } = indexes.require(index.root);
    const others = names.filter((name) => !used.has(name));
    const name = names.includes(root) ? root : findOtherName(listRootNames(index), others, false);
    if (name === undefined) continue;
    roots.set(index.root, name);
    used.add(name);
  }
  return roots;
}

/** Compares the catalog with what searches use. Corrects the names for later calls, and returns the indexes that the catalog has. */
export function probeCatalog({ caller, findings, runs }: ProbeContext): readonly FoundIndex[] {
  const run = runs.find(({ operation }) => operation.name === ListCatalog.name);
  const { indexes } = caller;
  const searches = listSearches().filter(({ index: { root } }) => indexes.get(root));
  if (!run?.response) {
    for (const { index } of searches) addUnreached(index, run?.reason ?? 'NO_DATA', findings);
    return [];
  }
  const { entities } = ListCatalog.decode(run.response);
  const roots = findRoots(
    searches.map(({ index }) => index),
    entities,
    indexes,
  );
  const found: FoundIndex[] = [];
  for (const { index, uses } of searches) {
    const wire = indexes.require(index.root);
    const name = roots.get(index.root);
    const entity = entities.find((each) => each.name === name);
    const coordinate = createIndexCoordinate(index.root);
    if (!entity) {
      findings.addDrift(coordinate, 'INDEX_MISSING', 'the catalog has no such root');
      findings.indexes.set(index.root, null);
      continue;
    }
    if (name !== wire.root) findings.addDrift(coordinate, 'INDEX_NAME', `named ${name}`);
    const comparison = new IndexComparison(index, entity, wire, findings);
    comparison.compareColumns();
    comparison.compareRelationships((root) => roots.get(root));
    comparison.compareOperators(uses);
    const overlay = createIndexOverlay(name === wire.root ? undefined : name, comparison);
    if (overlay !== undefined) findings.indexes.set(index.root, overlay);
    if (overlay !== null) found.push({ index, columns: comparison.knownColumns });
  }
  caller.correctIndexes(findings.indexes);
  return found;
}
