import { strToU8, zipSync } from 'fflate';

const NAMESPACES =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A cell with a text. */
export const text = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
/** A cell with a number, in the format of dates if it's a date. */
export const number = (reference: string, value: number | string, isDate = false) =>
  `<c r="${reference}" s="${isDate ? 1 : 0}"><v>${value}</v></c>`;
/** A row with its cells. */
export const row = (line: number, ...cells: readonly string[]) => `<row r="${line}">${cells.join('')}</row>`;

/** Creates a workbook with the rows of sheets, by their names. `folder` contains their files. */
export function createWorkbook(sheets: Readonly<Record<string, string>>, properties = '', folder = 'worksheets'): Buffer {
  const names = Object.keys(sheets);
  const files = {
    'xl/workbook.xml': `<workbook ${NAMESPACES}><workbookPr ${properties}/><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${TYPES}/worksheet" Target="${folder}/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${NAMESPACES}><cellXfs><xf numFmtId="0"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/${folder}/sheet${index + 1}.xml`,
        `<worksheet ${NAMESPACES}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)]))));
}
