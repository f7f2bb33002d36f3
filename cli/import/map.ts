import { statSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { isJsonObject } from '../../src/lib/json.ts';
import { StartError, toFileError } from '../../src/lib/startup.ts';
import { readTextFile } from '../../src/lib/utf8.ts';
import { type ColumnMap, NO_MAP } from './columns.ts';

/** Maximum size of a map. Chosen: thousands of columns. */
const MAX_BYTES = 1024 ** 2;

const createMapError = (path: string, problem: string) => new StartError(`${path} (--map) ${problem}. See docs/import.md.`);

/** Reads `--map`. Throws StartError if it isn't valid. */
export function readMap(path: string | undefined): ColumnMap {
  if (path === undefined) return NO_MAP;
  let map: unknown;
  try {
    if (statSync(path).size > MAX_BYTES) throw createMapError(path, `has more than ${MAX_BYTES} bytes`);
    map = parseYaml(readTextFile(path));
  } catch (error) {
    if (error instanceof StartError) throw error;
    const known = toFileError(error, '--map', path);
    throw known === error ? createMapError(path, `isn’t valid YAML: ${(error as Error).message.split('\n')[0]}`) : known;
  }
  if (!isJsonObject(map)) throw createMapError(path, 'must be an object with columns, constants, combine, or values');
  const unknown = Object.keys(map).find((name) => !['columns', 'constants', 'combine', 'values'].includes(name));
  if (unknown !== undefined) throw createMapError(path, `has the unknown member ${unknown}`);
  const read = (name: string, member: unknown, allowsNull: boolean) => {
    const entries = Object.entries(member ?? {});
    const wrong = entries.find(([, value]) => typeof value === 'object' && (value !== null || !allowsNull));
    if (wrong) throw createMapError(path, `needs a text for ${name}.${wrong[0]}`);
    return new Map(entries.map(([key, value]) => [key, value === null ? null : String(value)]));
  };
  const texts = (name: string) => read(name, map[name], false) as ReadonlyMap<string, string>;
  const readValues = ([header, member]: [string, unknown]) => {
    if (!isJsonObject(member)) throw createMapError(path, `needs an object for values.${header}, such as { ja: true }`);
    const values = [...read(`values.${header}`, member, true)].map(([cell, text]) => [cell.trim(), text ?? ''] as const);
    return [header, new Map(values)] as const;
  };
  return {
    columns: read('columns', map.columns, true),
    constants: texts('constants'),
    combine: texts('combine'),
    values: new Map(Object.entries(map.values ?? {}).map(readValues)),
  };
}
