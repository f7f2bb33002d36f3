import { parseArgs } from 'node:util';
import { StartError } from '../../src/lib/startup.ts';
import { parseProgress, parseShare, parseUrl } from '../bulk/options.ts';
import { createFormat } from './cells.ts';

export const USAGE = `Usage:
  import FILE --mutation NAME [options]          Check a file, and send the mutation once for each row
  import FILE --mutation NAME --check [options]  Only check it
  import --mutation NAME --template              Print a header with the columns of a mutation

FILE is CSV with a header, an Excel workbook if it ends with .xlsx, or JSON lines if it ends with .jsonl or .ndjson. Columns are named after the
fields of the mutation's input, such as title, change.quantityDelta, lines.0.quantity or customFields.Region. Add what records are looked up by: customerId:referenceNumber.

Options:
  --check              Check all rows, and estimate calls and minutes. Nothing is sent
  --map FILE           YAML that renames columns, adds constants and combined columns, and replaces values
  --sheet NAME         Sheet of a workbook that has several
  --match FIELD        Update the record that has the row's value of this field, such as email, and create the others
  --key-column NAME    Column that identifies a row. Default: its content, and how often that occurred before
  --out FILE           Results, a JSON line per row. Default: FILE.results.jsonl. FILE.results.jsonl.state has what was sent: keep it
  --skip-invalid       Send the valid rows if others are invalid
  --send-new           Send new rows although others have disappeared that are or may be applied
  --allow-volatile     Import although the graph forgets idempotency keys when it restarts
  --separator TEXT     Separates the items of a list in a cell. Default: |
  --null-token TEXT    A cell with this text clears its field. Empty cells leave it out
  --time-zone ZONE     Time zone of timestamps without an offset, such as Europe/Amsterdam
  --currency CODE      Currency of amounts without one
  --locale TAG         Notation of numbers and dates, such as de. Default: the only one that explains a column
  --share NUMBER       Share of the key's rate limit to use, from 0.01 to 1. Default: 0.5
  --progress FORM      text (default), or json: one object every 10 seconds on standard error
  --url URL            URL of the graph's GraphQL endpoint. Default: a graph of its own if UPSTREAM_URL is set, otherwise http://127.0.0.1:4000/graphql
  --key-file FILE      File with the API key or access token. Default: WORKSPACE_API_KEY
  -h, --help           Show this help

Run the same command again to continue an import, also after you have corrected rows. Rows that are applied aren't sent again.

Exit codes: 0 all rows are applied; 1 failure; 3 finished, but some rows weren't applied, or their outcome is unknown; 130 and 143 interrupted by
SIGINT and SIGTERM.
`;

const OPTIONS = {
  mutation: { type: 'string' },
  check: { type: 'boolean', default: false },
  template: { type: 'boolean', default: false },
  map: { type: 'string' },
  sheet: { type: 'string' },
  match: { type: 'string' },
  'key-column': { type: 'string' },
  out: { type: 'string' },
  'skip-invalid': { type: 'boolean', default: false },
  'send-new': { type: 'boolean', default: false },
  'allow-volatile': { type: 'boolean', default: false },
  separator: { type: 'string', default: '|' },
  'null-token': { type: 'string' },
  'time-zone': { type: 'string' },
  currency: { type: 'string' },
  locale: { type: 'string' },
  share: { type: 'string', default: '0.5' },
  progress: { type: 'string', default: 'text' },
  url: { type: 'string' },
  'key-file': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const createUsageError = (message: string) => new StartError(`${message} See workspace-graph import --help.`);

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw createUsageError((error as Error).message);
  }
}

/** Parses the arguments. Null if help is requested. Throws StartError if they're invalid. */
export function parseArguments(args: readonly string[]) {
  const { values, positionals } = parseOptions(args);
  if (values.help) return null;
  const [file = '', ...others] = positionals;
  const { mutation, separator, 'null-token': nullToken, 'time-zone': timeZone, currency, locale } = values;
  if (!mutation) throw createUsageError('Missing --mutation NAME, such as customerCreate.');
  if (separator === '') throw createUsageError('--separator must not be empty.');
  if (others.length > 0 || (file === '') !== values.template) throw createUsageError('Specify one file, such as customers.csv.');
  return {
    /** Empty for a template. */
    file,
    mutation,
    isCheck: values.check,
    isTemplate: values.template,
    map: values.map,
    sheet: values.sheet,
    match: values.match,
    keyColumn: values['key-column'],
    out: values.out ?? `${file}.results.jsonl`,
    skipsInvalid: values['skip-invalid'],
    sendsNew: values['send-new'],
    allowsVolatile: values['allow-volatile'],
    format: createFormat({ separator, nullToken, timeZone, currency, locale }),
    /** What changes the meaning of cells, as JSON. */
    notation: JSON.stringify([separator, nullToken, timeZone, currency, locale]),
    share: parseShare(values.share),
    progress: parseProgress(values.progress),
    /** Undefined for the default. */
    url: parseUrl(values.url),
    keyFile: values['key-file'],
  };
}

/** The arguments of an import. */
export type ImportArguments = NonNullable<ReturnType<typeof parseArguments>>;
