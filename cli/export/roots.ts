import { StartError } from '../../src/lib/startup.ts';
import { ROOTS } from './roots.gen.ts';

/** How formats represent the values of a column. Enum values and IDs are text. */
type ColumnKind = 'TEXT' | 'TIMESTAMP' | 'BOOLEAN' | 'MONEY';

/** A column of an export: a field of the graph whose value the index has. */
export interface ExportColumn {
  /** Name of the field. That of a reference to another record ends with `Id`. */
  readonly name: string;
  /** Name of its GraphQL type. `ID` for references. */
  readonly type: string;
  readonly kind: ColumnKind;
  /** Whether it's exported if no columns are selected. */
  readonly isDefault: boolean;
  /** Names of the field, and of the fields that lead to the ID of a reference. */
  readonly path: readonly string[];
  /** The same for raw IDs. */
  readonly rawPath?: readonly string[];
}

/** Records of a kind. */
export interface Root {
  /** Field of `Query` that searches them. */
  readonly search: string;
  /** Scopes that the search requires. */
  readonly scopes: readonly string[];
  readonly columns: readonly ExportColumn[];
  /** Selections of all fields that a record contains, with global and with raw IDs. */
  readonly record: string;
  readonly rawRecord: string;
  /** Field of `Customer` with its records, if all have a customer. */
  readonly customerField?: string;
}

const roots = new Map<string, Root>(Object.entries(ROOTS));

/** Looks up a root by its name. Throws StartError for unknown names. */
export function requireRoot(name: string): Root {
  const root = roots.get(name);
  if (root) return root;
  throw new StartError(`Unknown root ${name}. Expected one of ${[...roots.keys()].join(', ')}.`);
}
