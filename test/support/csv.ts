import { readFileSync } from 'node:fs';

/** Parses CSV as in RFC 4180: fields in quotes can contain commas, line breaks, and doubled quotes. */
export function parseCsv(path: string): string[][] {
  const text = readFileSync(path, 'utf8');
  const fields = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const records: string[][] = [[]];
  for (const [, quoted, plain = '', end] of fields) {
    records.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') records.push([]);
  }
  const length = fields.reduce((sum, [field]) => sum + field.length, 0);
  if (length !== text.length) throw new Error(`${path} isn’t valid CSV.`);
  return records.slice(0, -1);
}
