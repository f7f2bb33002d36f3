import type { Index } from './fields.ts';
import { indexes } from './generated/messages.ts';
import { type OverlayReader, reportShared, WHOLE_FILE } from './overlayReader.ts';

/** Differences of an analytics root from the contract, by the contract's names. Null instead of a name if the upstream has no such column or relationship. */
export interface IndexOverlay {
  readonly root?: string;
  readonly columns?: Readonly<Record<string, string | null>>;
  readonly relationships?: Readonly<Record<string, string | null>>;
}

/** By the contract's name of the root. Null if its search is switched off. */
export type IndexOverlays = Readonly<Record<string, IndexOverlay | null>>;

/** Names of catalogs: identifiers. */
const CATALOG_NAME = /^[A-Za-z_]\w*$/;
const NOUN = 'a name of the analytics catalog';

/** Columns that every page selects and sorts by. */
export const REQUIRED_COLUMNS: ReadonlySet<string> = new Set(['id', 'created_at']);

const known: ReadonlyMap<string, Index> = new Map(Object.entries<Index>(indexes));

function readOptionalNames(reader: OverlayReader, place: string, value: unknown, names: Iterable<string>, noun: string) {
  const entries = reader.readKnown(place, value, new Map([...names].map((name) => [name, true])), noun);
  const missing = entries.filter(([name, wire]) => wire === null && !REQUIRED_COLUMNS.has(name));
  const read = reader.readNames(
    place,
    entries.filter((entry) => !missing.includes(entry)),
    CATALOG_NAME,
    NOUN,
  );
  return { ...read, ...Object.fromEntries(missing.map(([name]) => [name, null])) };
}

function readIndex(reader: OverlayReader, place: string, value: unknown, { root, columns, relationships }: Index): IndexOverlay | null {
  if (value === null) return null;
  const members = new Map(['root', 'columns', 'relationships'].map((name) => [name, true]));
  const read: { -readonly [Member in keyof IndexOverlay]: IndexOverlay[Member] } = {};
  for (const [member, input] of reader.readKnown(place, value, members, 'property of an index')) {
    const at = `${place}.${member}`;
    if (member === 'columns') read.columns = readOptionalNames(reader, at, input, Object.values(columns), `column of ${root}`);
    else if (member === 'relationships')
      read.relationships = readOptionalNames(reader, at, input, Object.keys(relationships), `relationship of ${root}`);
    else {
      const name = reader.readString(at, input, CATALOG_NAME, NOUN);
      if (name !== undefined) read.root = name;
    }
  }
  return read;
}

/** Reports roots, columns and relationships that share a name in the upstream. */
function reportClashes(reader: OverlayReader, overlays: IndexOverlays): void {
  const roots = [...known.keys()].flatMap((name) => (overlays[name] === null ? [] : [[name, overlays[name]?.root ?? name] as const]));
  reportShared(reader, WHOLE_FILE, roots, 'root of the catalog');
  for (const [name, { columns, relationships }] of known) {
    const overlay = overlays[name] ?? {};
    const report = (member: 'columns' | 'relationships', names: readonly string[]) => {
      const wire = names.map((each) => [each, overlay[member]?.[each] === undefined ? each : overlay[member][each]] as const);
      const present = wire.flatMap(([each, other]) => (other === null ? [] : [[each, other] as const]));
      reportShared(reader, `indexes.${name}.${member}`, present, 'name');
    };
    report('columns', Object.values(columns));
    report('relationships', Object.keys(relationships));
  }
}

/** Reads the section `indexes` of an overlay. */
export function readIndexes(reader: OverlayReader, value: unknown): IndexOverlays {
  const read = reader
    .readKnown('indexes', value, known, 'index')
    .map(([name, input]) => [name, readIndex(reader, `indexes.${name}`, input, known.get(name) as Index)] as const);
  const overlays: IndexOverlays = Object.fromEntries(read);
  reportClashes(reader, overlays);
  return overlays;
}

/** Adds corrections to those of an overlay. */
export const mergeIndexOverlays = (before: IndexOverlays, corrections: ReadonlyMap<string, IndexOverlay | null>): IndexOverlays => ({
  ...before,
  ...Object.fromEntries(
    [...corrections].map(([root, added]) => {
      const known = before[root];
      if (!added || !known) return [root, added];
      const columns = { ...known.columns, ...added.columns };
      const relationships = { ...known.relationships, ...added.relationships };
      return [root, { ...known, ...added, columns, relationships }];
    }),
  ),
});
