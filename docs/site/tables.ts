/** Columns from which a table is shown as a list of rows on phones. Two fit on a screen of 360 pixels. Chosen. */
const MIN_COLUMNS = 3;

const TABLE = /<table>([\s\S]*?)<\/table>/g;
const HEADER = /<th\b[^>]*>([\s\S]*?)<\/th>/g;
const ROW = /<tr>([\s\S]*?)<\/tr>/g;

/** Text of an element, as the value of an attribute. */
const toText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('"', '&quot;')
    .trim();

/** Adds the headers to the cells but the first of a row, and roles to all elements, because browsers drop those of a table that isn't displayed as one. */
function labelCells(table: string, headers: readonly string[]): string {
  return table
    .replaceAll(ROW, (row) => {
      let column = 0;
      return row.replaceAll(/<td\b([^>]*)>([\s\S]*?)<\/td>/g, (_cell, attributes: string, content: string) => {
        const label = column === 0 ? '' : ` data-label="${headers[column] ?? ''}"`;
        column += 1;
        return `<td role="cell"${label}${attributes}><div>${content}</div></td>`;
      });
    })
    .replaceAll(/<(thead|tbody)\b/g, '<$1 role="rowgroup"')
    .replaceAll(/<tr\b/g, '<tr role="row"')
    .replaceAll(/<th\b/g, '<th role="columnheader"');
}

/** Encloses tables in elements in which they scroll. On phones, those with several columns are lists of rows instead, with the header before each cell. The first cell is the title of its row. */
export const adaptTables = (html: string): string =>
  html.replaceAll(TABLE, (_table, content: string) => {
    const headers = [...content.matchAll(HEADER)].map(([, header = '']) => toText(header));
    if (headers.length < MIN_COLUMNS) return `<div class="table"><table>${content}</table></div>`;
    return `<div class="table"><table class="stacked" role="table">${labelCells(content, headers)}</table></div>`;
  });
