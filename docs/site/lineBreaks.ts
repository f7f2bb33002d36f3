/** Positions in names where a line can break: `UPSTREAM_URL`, `customer:read`, `Quote/GetQuote`, and before capitals, as in `inventoryBalances`. Not in numbers. */
const SEPARATORS = /(?<=[A-Za-z0-9][_/.:,-])(?=[A-Za-z])|(?<=[a-z0-9])(?=[A-Z])/g;

/** Names in prose that can break. Chosen: shorter ones fit on one line of a phone. */
const LONG_NAME = /[^\s<>]{25,}/g;

/** Dashes of a command-line option with its first word. Browsers would break the line after the dashes. */
const OPTION = /(?<![\w-])-{1,2}[A-Za-z0-9]+/g;

const CODE = /(<code\b[^>]*>)([^<]*)(?=<\/code>)/g;

/** Headings that are the name of a field or type. */
const HEADING = /(<h3\b[^>]*>(?:<span\b[^>]*>)?)(\w+)(?=<)/g;

const insertBreaks = (text: string) => text.replaceAll(SEPARATORS, '<wbr>');

const mapCode = (html: string, change: (text: string) => string) =>
  html.replaceAll(CODE, (_code, tag: string, text: string) => tag + change(text.replaceAll(OPTION, '<span class="whole">$&</span>')));

/** Adds line-break opportunities to names in headings and inline code: to all names in tables, whose cells don't break words, and to long ones elsewhere. */
export const addLineBreaks = (html: string): string =>
  html
    .split(/(<td\b[\s\S]*?<\/td>)/)
    .map((part, index) => mapCode(part, index % 2 === 1 ? insertBreaks : (text) => text.replaceAll(LONG_NAME, insertBreaks)))
    .join('')
    .replaceAll(HEADING, (_heading, tags: string, name: string) => tags + insertBreaks(name));
