import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createGraph } from '../../src/graph.ts';
import { escapeLines, escapeText } from '../../src/lib/printableText.ts';
import { StartError } from '../../src/lib/startup.ts';
import { readTextFile } from '../../src/lib/utf8.ts';
import type { Environment } from '../../src/server/settings/config.ts';
import type { ScopeRequirements } from '../../src/upstream/access/scopeRequirements.ts';
import { NO_OVERLAY, type Overlay, readOverlay } from '../../src/upstream/contract/overlay.ts';
import { httpTransport } from '../../src/upstream/transport/http.ts';
import type { Transport } from '../../src/upstream/transport/transport.ts';
import { readProxy } from '../bulk/proxy.ts';
import { checkAccounts, formatAccounts, hasProblem, isIncomplete } from './accounts.ts';
import { Caller, KeyRejectedError } from './caller.ts';
import {
  BadDocumentError,
  type CoordinateRow,
  collectScopeNeeds,
  createCoordinateRows,
  fetchScopes,
  ScopesUnavailableError,
} from './can.ts';
import type { Finding } from './finding.ts';
import { formatOverlay } from './proposal.ts';
import { CannotVerifyError, getConfirmedPercent, hasDrift, MAX_CALLS, type Report, verify } from './verify.ts';

type FindingWith<Verdict extends Finding['verdict']> = Extract<Finding, { verdict: Verdict }>;

const filterByVerdict = <Verdict extends Finding['verdict']>({ findings }: Report, verdict: Verdict): readonly FindingWith<Verdict>[] =>
  findings.filter((finding): finding is FindingWith<Verdict> => finding.verdict === verdict);

/** Messages of the contract with the number of confirmed fields. */
function formatConfirmed(report: Report): string[] {
  const members = report.findings.filter(({ coordinate }) => coordinate.includes('.'));
  return [...Map.groupBy(members, ({ coordinate }) => coordinate.slice(0, coordinate.indexOf('.')))].map(([message, findings]) => {
    const confirmed = findings.filter(({ verdict }) => verdict === 'CONFIRMED').length;
    return `${message}: ${confirmed} of ${findings.length}`;
  });
}

const formatSection = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

/** Operations that weren't reached, as lines. */
function formatUnreached(report: Report): string[] {
  const operations = filterByVerdict(report, 'UNREACHED').filter(({ coordinate }) => coordinate.includes('/'));
  return operations.map(({ coordinate, reason, detail }) => `${coordinate}  ${reason}${detail ? ` (${detail})` : ''}`);
}

/** Minimum number of coordinates with the same drift that are grouped. Chosen: the same maximum page size of all lists is one problem. */
const MIN_GROUPED = 4;

/** Drift as lines. The same drift of many coordinates is printed once, above them. */
function formatDrift(report: Report): string[] {
  const groups = Map.groupBy(filterByVerdict(report, 'DRIFT'), ({ kind, detail }) => `${kind}  ${detail}`);
  return [...groups].flatMap(([drift, drifts]) => {
    if (drifts.length < MIN_GROUPED) return drifts.map(({ coordinate, count }) => `${coordinate}  ${drift} (${count})`);
    return [`${drifts.length} coordinates  ${drift}`, ...drifts.map(({ coordinate, count }) => `  ${coordinate} (${count})`)];
  });
}

/** How to get a complete run if this one was limited. */
function formatLimit({ calls, keptBack: withheld, cutBy }: Report): string[] {
  if (cutBy === null) return [];
  const more = `A full run needs at least ${withheld} more calls.`;
  return [
    cutBy === 'MAX_CALLS'
      ? `${more} Use --max-calls ${Math.max(MAX_CALLS, calls + withheld)}.`
      : `${more} The rate limit is down to --reserve; use --wait to continue in the next window.`,
  ];
}

const NEXT_STEPS = `
To write it, use --propose FILE. Then run verify again with --overlay FILE --propose FILE, because correct names can reveal more drift.
To apply it, start the graph with CONTRACT_OVERLAY=FILE.`;

/** Formats a report as text, for people. */
export function formatText(report: Report): string {
  const { facts, settled, overlay } = report;
  const wrong = settled.filter(({ isRight }) => !isRight);
  const lines = [
    `${filterByVerdict(report, 'DRIFT').length} drifts, ${filterByVerdict(report, 'UNKNOWN').length} unknown fields, ${filterByVerdict(report, 'CONFIRMED').length} confirmed fields. Sent ${report.calls} calls.`,
    ...formatLimit(report),
    `Confirmed ${report.reads.confirmed} of ${report.reads.total} read operations.`,
    ...formatSection('DRIFT', formatDrift(report)),
    ...formatSection(
      'UNKNOWN fields (not in the contract)',
      filterByVerdict(report, 'UNKNOWN').map(({ coordinate, count }) => `${coordinate} (${count})`),
    ),
    ...formatSection('UNREACHED operations', formatUnreached(report)),
    ...formatSection(
      'NEVER SEEN fields',
      filterByVerdict(report, 'NEVER_SEEN').map(({ coordinate }) => coordinate),
    ),
    ...formatSection('CONFIRMED fields', formatConfirmed(report)),
    ...formatSection(
      'Facts',
      facts.map(({ subject, result }) => `${subject}: ${result}`),
    ),
    '',
    `Assumptions checked: ${settled.length - wrong.length} correct, ${wrong.length} wrong`,
    ...wrong.map(({ kind, of }) => `  ${of} (${kind})`),
    ...formatSection('Proposed contract overlay', overlay ? formatOverlay(overlay).trimEnd().split('\n') : []),
    ...(overlay ? NEXT_STEPS.split('\n') : []),
  ];
  // Names and values come from the upstream.
  return `${lines.map(escapeText).join('\n')}\n`;
}

/** Formats a report as JSON, for programs. */
const formatJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;

/** Exit codes: 0 for success; 1 for drift, a problem of an account, or a missing scope of a document; 2 if the command couldn't run; 3 if there was no drift, but less was confirmed than required. */
export const EXIT = { ok: 0, wrong: 1, failed: 2, unconfirmed: 3 } as const;

const USAGE = `Usage:
  verify --url URL [options]           Compare an upstream with the contract (read-only)
  verify --accounts --url URL          Check the API keys of AUTH_KEYS, which sign-in assigns to accounts
  can --url URL [options]              List what an API key can access
  can --document FILE [options]        List the scopes that GraphQL documents require; marks missing ones if there is an API key

Options:
  --url URL                      Base URL of the upstream. Default: UPSTREAM_URL
  --key KEY                      API key, visible to other users of this machine. Default: WORKSPACE_API_KEY
  --overlay FILE                 Contract overlay to apply. Default: CONTRACT_OVERLAY
  --json                         Print JSON
  -h, --help                     Show this help

Options of verify:
  --propose FILE                 Write an overlay that corrects the drift, where possible
  --max-calls N                  Maximum number of upstream calls. Default: 450
  --reserve N                    Stop when only this many calls of the rate limit are left. Default: 20
  --min-confirmed PERCENT        Fail unless at least this share of the read operations returned data to compare. 0–100, default 0
  --wait                         Continue in the next rate-limit window instead of stopping

Options of verify --accounts:
  --account VALUE                Only check the API key of this value of the claim AUTH_CLAIM. Required if AUTH_KEYS is in Redis. Repeatable

Options of can:
  --document FILE                GraphQL document to check. Repeatable

Exit codes: 0 success; 1 drift found (verify), problem of an account (verify --accounts), or missing scope (can --document); 2 could not run; 3 less than --min-confirmed.

To try it out, run \`npx workspace-graph\` in another terminal, and pass --url http://127.0.0.1:4010 --key demo-owner.
`;

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  overlay: { type: 'string' },
  json: { type: 'boolean' },
  propose: { type: 'string' },
  document: { type: 'string', multiple: true },
  'max-calls': { type: 'string' },
  reserve: { type: 'string' },
  'min-confirmed': { type: 'string' },
  wait: { type: 'boolean' },
  accounts: { type: 'boolean' },
  account: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Thrown for invalid arguments. */
class UsageError extends Error {}

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Standard output and error of the process. */
export const terminal: Output = { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text) };

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

type ArgumentValues = ReturnType<typeof parseArguments>['values'];

function parseInteger(values: ArgumentValues, name: 'max-calls' | 'reserve'): number | undefined {
  const text = values[name];
  if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`--${name} must be an integer of at most 6 digits.`);
}

function parseMinConfirmed({ 'min-confirmed': text = '0' }: ArgumentValues): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw new UsageError('--min-confirmed must be a whole percentage from 0 to 100.');
}

function readText(file: string, option: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw new UsageError(`Can’t read ${file} (${option}): ${(error as NodeJS.ErrnoException).code}. Specify a readable file.`);
  }
}

function loadOverlay(file: string | undefined): Overlay {
  if (!file) return NO_OVERLAY;
  const reading = readOverlay(readText(file, '--overlay'));
  if ('overlay' in reading) return reading.overlay;
  throw new UsageError(`The overlay ${file} is invalid:\n  ${reading.problems.join('\n  ')}`);
}

/** The upstream that the options specify. */
interface UpstreamConnection {
  readonly transport: Transport;
  readonly overlay: Overlay;
}

interface Target extends UpstreamConnection {
  readonly apiKey: string;
}

function parseUrl(values: ArgumentValues, env: Environment): string {
  const url = values.url ?? env.UPSTREAM_URL;
  if (url && /^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new UsageError('--url or UPSTREAM_URL must be the base URL of the upstream, such as https://api.example.com.');
}

const createConnection = (url: string, values: ArgumentValues, env: Environment): UpstreamConnection => ({
  overlay: loadOverlay(values.overlay ?? env.CONTRACT_OVERLAY),
  transport: httpTransport({ url, connections: 1, proxy: readProxy(env) }),
});

function createTarget(values: ArgumentValues, env: Environment): Target {
  const url = parseUrl(values, env);
  const apiKey = values.key ?? env.WORKSPACE_API_KEY;
  if (!apiKey) throw new UsageError('Missing API key. Set WORKSPACE_API_KEY or pass --key.');
  return { ...createConnection(url, values, env), apiKey };
}

/** Writes the overlay to a file, or prints that there is nothing to write. */
function writeProposal(file: string, { overlay }: Report, { err }: Output): void {
  if (!overlay) {
    err(`Found no further drift that an overlay can correct, so ${file} wasn’t written.\n`);
    return;
  }
  try {
    writeFileSync(file, formatOverlay(overlay));
  } catch (error) {
    throw new UsageError(`Can’t write ${file} (--propose): ${(error as NodeJS.ErrnoException).code}. Specify a writable file.`);
  }
}

/** Waits, and prints for how long. */
const createWait =
  ({ err }: Output) =>
  async (ms: number): Promise<void> => {
    err(`Waiting ${Math.ceil(ms / 1000)} seconds for the rate limit to reset.\n`);
    await setTimeout(ms);
  };

async function runVerify(values: ArgumentValues, env: Environment, output: Output): Promise<number> {
  const { out } = output;
  const target = createTarget(values, env);
  const minConfirmed = parseMinConfirmed(values);
  const [maxCalls, reserve] = [parseInteger(values, 'max-calls'), parseInteger(values, 'reserve')];
  const limits = { ...(maxCalls !== undefined && { maxCalls }), ...(reserve !== undefined && { reserve }) };
  try {
    const waiting = values.wait ? { wait: createWait(output) } : {};
    const report = await verify({ ...target, ...limits, ...waiting });
    out(values.json ? formatJson(report) : formatText(report));
    if (values.propose) writeProposal(values.propose, report, output);
    if (hasDrift(report)) return EXIT.wrong;
    if (getConfirmedPercent(report) >= minConfirmed) return EXIT.ok;
    output.err(
      `Confirmed ${report.reads.confirmed} of ${report.reads.total} read operations, but --min-confirmed requires ${minConfirmed}%.\n`,
    );
    return EXIT.unconfirmed;
  } finally {
    await target.transport.close();
  }
}

/** `can` and `verify --accounts` read the scopes of a key, which is retried once. */
const SCOPE_CALLS = 2;
const CAN_TIMEOUT_MS = 30_000;

const createCaller = (target: Target) => new Caller({ ...target, maxCalls: SCOPE_CALLS, reserve: 0, timeoutMs: CAN_TIMEOUT_MS });

async function runAccounts(values: ArgumentValues, env: Environment, { out }: Output): Promise<number> {
  const connection = createConnection(parseUrl(values, env), values, env);
  try {
    const report = await checkAccounts(env, values.account ?? [], (apiKey) => createCaller({ ...connection, apiKey }));
    out(values.json ? `${JSON.stringify(report, null, 2)}\n` : formatAccounts(report));
    if (hasProblem(report)) return EXIT.wrong;
    return isIncomplete(report) ? EXIT.failed : EXIT.ok;
  } finally {
    await connection.transport.close();
  }
}

const formatRow = ({ can, coordinate, missingScopes }: CoordinateRow) =>
  `${can.toLowerCase().padEnd(7)}  ${coordinate}${missingScopes.length > 0 ? `  missing ${missingScopes.join(', ')}` : ''}`;

async function runCanAll(values: ArgumentValues, env: Environment, { out }: Output): Promise<number> {
  const target = createTarget(values, env);
  try {
    const scopes = await fetchScopes(createCaller(target));
    const coordinates = createCoordinateRows(createGraph().schema, scopes);
    const warning = scopes ? [] : ['The upstream doesn’t report the scopes of this key. Use verify to find the reads that it rejects.', ''];
    out(values.json ? `${JSON.stringify({ coordinates }, null, 2)}\n` : `${[...warning, ...coordinates.map(formatRow)].join('\n')}\n`);
    return EXIT.ok;
  } finally {
    await target.transport.close();
  }
}

function formatNeeds({ scopes, conditional, isUnknown }: ScopeRequirements, missing: readonly string[] | null): string {
  const line = (scope: string) => (missing?.includes(scope) ? `${scope}  (missing from the key)` : scope);
  return [
    'Required scopes:',
    ...(scopes.length > 0 ? scopes.map((scope) => `  ${line(scope)}`) : ['  none']),
    ...(conditional.length > 0
      ? ['Required if the field is set:', ...conditional.map(({ scope, field }) => `  ${scope}  (${field})`)]
      : []),
    ...(isUnknown ? ['Some fields require an undocumented scope.'] : []),
    '',
  ].join('\n');
}

async function fetchMissingScopes(needs: ScopeRequirements, values: ArgumentValues, env: Environment): Promise<readonly string[] | null> {
  if (!(values.key ?? env.WORKSPACE_API_KEY)) return null;
  const target = createTarget(values, env);
  try {
    const caller = createCaller(target);
    caller.scopes = await fetchScopes(caller);
    return caller.listMissingScopes(needs);
  } finally {
    await target.transport.close();
  }
}

async function runCanDocuments(values: ArgumentValues, env: Environment, { out }: Output): Promise<number> {
  const documents = (values.document ?? []).map((name) => ({ name, text: readText(name, '--document') }));
  const needs = collectScopeNeeds(createGraph().schema, documents);
  const missing = await fetchMissingScopes(needs, values, env);
  out(values.json ? `${JSON.stringify({ ...needs, missing }, null, 2)}\n` : formatNeeds(needs, missing));
  return missing && missing.length > 0 ? EXIT.wrong : EXIT.ok;
}

const isExpectedError = (error: unknown): error is Error =>
  [UsageError, StartError, CannotVerifyError, ScopesUnavailableError, KeyRejectedError, BadDocumentError].some(
    (kind) => error instanceof kind,
  );

/** Runs a command and returns its exit code. Its output never contains the key. */
export async function runCommand(args: readonly string[], env: Environment, output: Output): Promise<number> {
  try {
    const { values, positionals } = parseArguments(args);
    const [command] = positionals;
    if (values.help) {
      output.out(USAGE);
      return EXIT.ok;
    }
    if (command === 'verify') return await (values.accounts || values.account ? runAccounts : runVerify)(values, env, output);
    if (command === 'can') return await (values.document ? runCanDocuments : runCanAll)(values, env, output);
    throw new UsageError('Unknown or missing command. Use verify or can.');
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    output.err(`${escapeLines(error.message)}\n${error instanceof UsageError ? USAGE : ''}`);
    return EXIT.failed;
  }
}
