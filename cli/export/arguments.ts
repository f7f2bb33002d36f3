import { parseArgs } from 'node:util';
import { type ConstValueNode, GraphQLError, Kind, parseConstValue, print } from 'graphql';
import { StartError } from '../../src/lib/startup.ts';
import { parseProgress, parseShare, parseUrl } from '../bulk/options.ts';
import type { ProgressForm } from '../bulk/progress.ts';
import { FORMATS, type FormatName } from './formats.ts';

/** Creates the error for a filter that can't be used. */
export const createWhereError = (problem: string, options?: ErrorOptions) => new StartError(`--where is invalid: ${problem}`, options);

/** Parses an input literal. Its outer braces can be omitted. */
function parseLiteral(text: string): ConstValueNode {
  const literal = text.trim();
  try {
    return parseConstValue(literal.startsWith('{') ? literal : `{ ${literal} }`);
  } catch (error) {
    if (error instanceof GraphQLError) throw createWhereError(`${error.message} Example: --where 'statuses: [OPEN]'`);
    throw error;
  }
}

/**
 * Parses a filter of a search, and returns a function that adds a condition to it. The graph validates both. The condition is added to `and`, so that the
 * filter's other fields keep their paths in errors. Throws StartError if the text isn't an input literal.
 */
export function parseWhere(text: string): (condition: string) => string {
  const literal = parseLiteral(text);
  const fields = literal.kind === Kind.OBJECT ? literal.fields : [];
  const others = fields.filter(({ name }) => name.value !== 'and').map(print);
  const groups = fields.flatMap(({ name, value }) => {
    if (name.value !== 'and') return [];
    return value.kind === Kind.LIST ? value.values.map(print) : [print(value)];
  });
  return (condition) => `{ ${[...others, `and: [${[...groups, condition].join(', ')}]`].join(', ')} }`;
}

export const USAGE = `Usage:
  export ROOT --out FILE [options]   Export all records of a root to a file
  export ROOT --plan [options]       Print the number of rows, calls and minutes, and the required scopes

Roots: orders, quotes, customers, payments, work-orders, problems, appointments. The columns are those of the analytics index: custom fields,
lines and paid amounts aren't among them. With --records, the rows are whole records.

Options:
  --where FILTER       Filter of the search, as a GraphQL literal, such as 'statuses: [OPEN], createdAt: { gte: "2026-01-01T00:00:00Z" }'
  --columns NAMES      Comma-separated columns. Default: all, except raw values of enums, such as statusText
  --format FORMAT      jsonl (default), csv, or parquet
  --out FILE           File to create. FILE.part and FILE.checkpoint exist while it's incomplete, and FILE.manifest.json describes it
  --share NUMBER       Share of the key's rate limit to use, from 0.01 to 1. Default: 0.5
  --incremental STATE  Only export records that were updated since the export that wrote this file
  --records            Write whole records as JSON lines. Takes one call for each, or for each customer of all orders or quotes
  --yes                Start an export of more than 10,000 calls for whole records
  --raw-ids            Write the upstream's IDs instead of global IDs
  --excel-safe         In CSV, prefix texts that spreadsheets would execute with an apostrophe
  --overwrite          Replace FILE if it exists
  --restart            Discard an incomplete export instead of continuing it
  --progress FORM      text (default), or json: one object every 10 seconds on standard error
  --url URL            URL of the graph's GraphQL endpoint. Default: a graph of its own if UPSTREAM_URL is set, otherwise http://127.0.0.1:4000/graphql
  --key-file FILE      File with the API key or access token. Default: WORKSPACE_API_KEY
  -h, --help           Show this help

Run the same command again to continue an export that was interrupted. A graph of its own has the settings of the environment, such as
CONTRACT_OVERLAY. If LEDGER_URL is a Redis URL, it shares the rate limit with other graphs.

Exit codes: 0 success; 1 failure; 3 complete, but the number of rows differs from the index: the file is FILE.unverified; 130 and 143 interrupted
by SIGINT and SIGTERM.
`;

const OPTIONS = {
  where: { type: 'string' },
  columns: { type: 'string' },
  format: { type: 'string', default: 'jsonl' },
  out: { type: 'string' },
  share: { type: 'string', default: '0.5' },
  incremental: { type: 'string' },
  records: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'raw-ids': { type: 'boolean', default: false },
  'excel-safe': { type: 'boolean', default: false },
  overwrite: { type: 'boolean', default: false },
  restart: { type: 'boolean', default: false },
  plan: { type: 'boolean', default: false },
  progress: { type: 'string', default: 'text' },
  url: { type: 'string' },
  'key-file': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** The arguments of an export. */
export interface ExportArguments {
  readonly root: string;
  readonly where: string | undefined;
  readonly columns: readonly string[] | undefined;
  readonly format: FormatName;
  /** Empty with `isPlan`. */
  readonly out: string;
  readonly share: number;
  readonly statePath: string | undefined;
  /** Whether to export whole records. */
  readonly hasRecords: boolean;
  /** Whether many calls are confirmed. */
  readonly isConfirmed: boolean;
  readonly hasRawIds: boolean;
  readonly isExcelSafe: boolean;
  readonly isOverwriting: boolean;
  readonly isRestarting: boolean;
  readonly isPlan: boolean;
  readonly progress: ProgressForm;
  /** Undefined for the default. */
  readonly url: string | undefined;
  readonly keyFile: string | undefined;
}

const createUsageError = (message: string) => new StartError(`${message} See workspace-graph export --help.`);

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw createUsageError((error as Error).message);
  }
}

function requireFormat(value: string): FormatName {
  const format = FORMATS.find((each) => each === value);
  if (format !== undefined) return format;
  throw createUsageError(`--format must be ${FORMATS.join(' or ')}, but is ${value}.`);
}

/** Parses the arguments. Null if help is requested. Throws StartError if they're invalid. */
export function parseArguments(args: readonly string[]): ExportArguments | null {
  const { values, positionals } = parseOptions(args);
  if (values.help) return null;
  const [root, ...others] = positionals;
  if (root === undefined || others.length > 0) throw createUsageError('Specify one root, such as orders.');
  const { out, plan: isPlan } = values;
  if (!out && !isPlan) throw createUsageError('Missing --out FILE.');
  const columns = values.columns?.split(',').map((name) => name.trim());
  if (values.records && (columns || values.format !== 'jsonl'))
    throw createUsageError('--records writes JSON lines with all fields. Omit --columns and --format.');
  return {
    root,
    where: values.where,
    columns,
    format: requireFormat(values.format),
    out: out ?? '',
    share: parseShare(values.share),
    statePath: values.incremental,
    hasRecords: values.records,
    isConfirmed: values.yes,
    hasRawIds: values['raw-ids'],
    isExcelSafe: values['excel-safe'],
    isOverwriting: values.overwrite,
    isRestarting: values.restart,
    isPlan,
    progress: parseProgress(values.progress),
    url: parseUrl(values.url),
    keyFile: values['key-file'],
  };
}
