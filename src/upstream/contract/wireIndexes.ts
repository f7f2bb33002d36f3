import { createEnumTranslation, type ValueTranslation } from './enumTranslation.ts';
import type { Index, IndexColumns } from './fields.ts';
import { indexes } from './generated/messages.ts';
import type { IndexOverlay } from './indexOverlay.ts';
import type { Overlay } from './overlay.ts';

/** A column in the upstream's names. */
interface WireColumn {
  readonly name: string;
  /** Translates the values of an enum. Undefined if they're unchanged. */
  readonly encode: ValueTranslation | undefined;
  readonly decode: ValueTranslation | undefined;
}

/** An index in the upstream's names. Its columns and relationships are those that the upstream has, by their names in the contract. */
export interface WireIndex {
  readonly root: string;
  readonly columns: ReadonlyMap<string, WireColumn>;
  readonly relationships: ReadonlyMap<string, string>;
}

/** Returns the upstream's names of those that it has. */
const rename = (names: Iterable<string>, renames: Readonly<Record<string, string | null>> = {}): readonly (readonly [string, string])[] =>
  [...names].flatMap((name) => {
    const wire = renames[name] === undefined ? name : renames[name];
    return wire === null ? [] : [[name, wire] as const];
  });

function createWireIndex(index: Index, { root = index.root, columns, relationships }: IndexOverlay, overlay: Overlay): WireIndex {
  const members = new Map(Object.entries(index.columns).map(([member, column]) => [column, member]));
  const createColumn = (column: string, name: string): WireColumn => {
    const { kind, type = '' } = index.record.fields[members.get(column) ?? ''] ?? {};
    const translate = (direction: 'encode' | 'decode') => (kind === 'enum' ? createEnumTranslation(type, overlay, direction) : undefined);
    return { name, encode: translate('encode'), decode: translate('decode') };
  };
  return {
    root,
    columns: new Map(rename(members.keys(), columns).map(([column, name]) => [column, createColumn(column, name)])),
    relationships: new Map(rename(Object.keys(index.relationships), relationships)),
  };
}

/** The contract's indexes in the upstream's names. */
export class WireIndexes {
  readonly #indexes: ReadonlyMap<string, WireIndex>;

  constructor(overlay: Overlay) {
    this.#indexes = new Map(
      Object.values<Index>(indexes).flatMap((index) => {
        const corrections = overlay.indexes[index.root];
        return corrections === null ? [] : [[index.root, createWireIndex(index, corrections ?? {}, overlay)] as const];
      }),
    );
  }

  /** Returns an index by the contract's name of its root. Undefined if it is switched off. */
  get(root: string): WireIndex | undefined {
    return this.#indexes.get(root);
  }

  /** Returns the columns that the upstream has. Amounts need the column of their currency. */
  listColumns({ root, columns, record }: Index): IndexColumns {
    const known = this.#indexes.get(root)?.columns;
    const isKnown = (member: string) => known?.has(columns[member] ?? '') === true;
    const isUsable = (member: string) => isKnown(member) && (record.fields[member]?.unit !== 'MINOR' || isKnown('currency'));
    return Object.fromEntries(Object.entries(columns).filter(([member]) => isUsable(member)));
  }

  /** Returns an index that isn't switched off. */
  require(root: string): WireIndex {
    const index = this.#indexes.get(root);
    if (!index) throw new Error(`The index ${root} is switched off. Check that before a query is created.`);
    return index;
  }
}
