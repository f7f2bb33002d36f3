import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type ConstValueNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  parse,
  parseConstValue,
  print,
  validate,
  valueFromAST,
} from 'graphql';
import { ValidationError } from '../failures/failures.ts';
import { StartError } from '../lib/startup.ts';
import type { ConvertedFilter } from '../schema/search/filters.ts';
import { getSearchName, type Search } from '../schema/search/searches.ts';
import type { Environment } from '../server/settings/config.ts';
import { FORMATS, type FormatName } from './formats.ts';
import type { ProgressForm } from './progress.ts';

const createWhereError = (problem: string) => new StartError(`--where is invalid: ${problem}`);

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

/** Converts an input literal of a search's filter to a condition on its index. Throws StartError if it's invalid. */
export function parseWhere(text: string, { target, filter }: Search<object>, schema: GraphQLSchema): ConvertedFilter {
  const field = getSearchName(target.name);
  const literal = parseLiteral(text);
  const [problem] = validate(schema, parse(`{ ${field}(filter: ${print(literal)}) { isTruncated } }`));
  if (problem) throw createWhereError(problem.message);
  const argument = schema
    .getQueryType()
    ?.getFields()
    [field]?.args.find(({ name }) => name === 'filter');
  try {
    return filter.toCondition(valueFromAST(literal, argument?.type as GraphQLInputType) as object);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw createWhereError(error.issues.map(({ path, message }) => `${path.slice(1).join('.')} ${message}`).join(' '));
  }
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
  --key-file FILE      File with the API key. Default: WORKSPACE_API_KEY
  -h, --help           Show this help

Run the same command again to continue an export that was interrupted. UPSTREAM_URL, CONTRACT_OVERLAY and the other settings are those of the
graph. If LEDGER_URL is a Redis URL, the rate limit is shared with the graph.

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

function requireOneOf<Choice extends string>(value: string, choices: readonly Choice[], option: string): Choice {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw createUsageError(`${option} must be ${choices.join(' or ')}, but is ${value}.`);
  return choice;
}

function parseShare(text: string): number {
  const share = Number(text);
  if (/^[01]?\.?\d*$/.test(text) && share >= 0.01 && share <= 1) return share;
  throw createUsageError(`--share must be a number from 0.01 to 1, but is ${text}.`);
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
    format: requireOneOf(values.format, FORMATS, '--format'),
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
    progress: requireOneOf(values.progress, ['text', 'json'], '--progress'),
    keyFile: values['key-file'],
  };
}

/** Reads the API key. It can't be an argument, because other users of the machine can see arguments. */
export function readKey(keyFile: string | undefined, { WORKSPACE_API_KEY }: Environment): string {
  let key = WORKSPACE_API_KEY;
  try {
    if (keyFile !== undefined) key = readFileSync(keyFile, 'utf8');
  } catch (error) {
    throw new StartError(`Can’t read ${keyFile} (--key-file): ${(error as NodeJS.ErrnoException).code}. Specify a readable file.`);
  }
  const trimmed = key?.trim();
  if (!trimmed) throw new StartError('Missing API key. Set WORKSPACE_API_KEY, or pass --key-file.');
  return trimmed;
}
