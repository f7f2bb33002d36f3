/** Places in names where a line can break: `UPSTREAM_URL`, `customer:read`, `Quote/GetQuote`, and before capitals, as in `inventoryBalances`. Not in numbers. */
const SEPARATORS = /(?<=[A-Za-z0-9][_/.:,-])(?=[A-Za-z])|(?<=[a-z0-9])(?=[A-Z])/g;

/** Names in prose that can break. Chosen: shorter ones fit into a line of a phone. */
const LONG_NAME = /[^\s<>]{25,}/g;

/** Dashes of an option with its first word. Browsers break lines after them. */
const OPTION = /(?<![\w-])-{1,2}[A-Za-z0-9]+/g;

const CODE = /(<code\b[^>]*>)([^<]*)(?=<\/code>)/g;

const breakable = (text: string) => text.replaceAll(SEPARATORS, '<wbr>');

const inCode = (html: string, change: (text: string) => string) =>
  html.replaceAll(CODE, (_code, tag: string, text: string) => tag + change(text.replaceAll(OPTION, '<span class="whole">$&</span>')));

/** HTML whose names in inline code can break at their separators: all in tables, whose cells don't break words, and long ones elsewhere. */
export const withLineBreaks = (html: string): string =>
  html
    .split(/(<td\b[\s\S]*?<\/td>)/)
    .map((part, index) => inCode(part, index % 2 === 1 ? breakable : (text) => text.replaceAll(LONG_NAME, breakable)))
    .join('');
