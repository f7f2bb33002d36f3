import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createGraph } from '../graph.ts';
import type { ScopeNeeds } from '../upstream/access/scopeNeeds.ts';
import { NO_OVERLAY, type Overlay, readOverlay } from '../upstream/contract/overlay.ts';
import { httpTransport } from '../upstream/transport/http.ts';
import type { Transport } from '../upstream/transport/transport.ts';
import { Caller, KeyRefusedError } from './caller.ts';
import { BadDocumentError, CannotAskError, type CoordinateRow, coordinateRows, needsOfDocuments, scopesOf, serviceRows } from './can.ts';
import { asJson, asJunit, asText } from './print.ts';
import { overlayText } from './proposal.ts';
import { CannotVerifyError, hasDrift, type Report, verify } from './verify.ts';

/** Exit codes: nothing wrong; a drift, or a scope that a document lacks; could not run. */
export const EXIT = { ok: 0, wrong: 1, failed: 2 } as const;

const USAGE = `Usage:
  verify --url URL [--overlay FILE] [--json | --junit] [--propose FILE] [--max-calls 400] [--reserve 20] [--wait] [--service-name Quote=Offers]
  can    --url URL [--overlay FILE] [--live] [--json]
  can    --document FILE [--document FILE] [--url URL] [--json]
The API key comes from the environment variable WORKSPACE_API_KEY, or from --key, which others on this machine can see. In place of --url there may be UPSTREAM_URL.

verify exits with 1 for a drift; can with 1 for a scope that documents need and the key lacks. Both exit with 2 when they could not run.
--wait goes on in the next window of the rate limit; without it a run ends where --reserve calls are left.
--propose writes an overlay that corrects what one can, --overlay verifies with it, and CONTRACT_OVERLAY=FILE gives it to the graph.

To try it, run \`npx workspace-graph\` in another terminal, and give its sandbox: --url http://127.0.0.1:4010, with the key demo-owner.
`;

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  overlay: { type: 'string' },
  json: { type: 'boolean' },
  junit: { type: 'boolean' },
  live: { type: 'boolean' },
  propose: { type: 'string' },
  document: { type: 'string', multiple: true },
  'max-calls': { type: 'string' },
  reserve: { type: 'string' },
  wait: { type: 'boolean' },
  'service-name': { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reason why a command cannot begin: what was wrong, and what to give. */
class UsageError extends Error {}

interface Environment {
  readonly WORKSPACE_API_KEY?: string | undefined;
  readonly UPSTREAM_URL?: string | undefined;
  readonly CONTRACT_OVERLAY?: string | undefined;
}

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Output of a program. */
export const terminal: Output = { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text) };

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

type Values = ReturnType<typeof parsed>['values'];

function wholeNumber(values: Values, name: 'max-calls' | 'reserve'): number | undefined {
  const text = values[name];
  if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`--${name} must be a whole number of at most 6 digits.`);
}

function textOf(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${option} must name a file that can be read, but reading ${file} fails with ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
}

function overlayOf(file: string | undefined): Overlay {
  if (!file) return NO_OVERLAY;
  const reading = readOverlay(textOf(file, '--overlay'));
  if ('overlay' in reading) return reading.overlay;
  throw new UsageError(`--overlay (${file}) cannot be used:\n  ${reading.problems.join('\n  ')}`);
}

function serviceNames(entries: readonly string[] = []): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const entry of entries) {
    const [, service, name] = /^(\w+)=([A-Za-z]\w*)$/.exec(entry) ?? [];
    if (!service || !name) throw new UsageError('--service-name must be a service with a name to try, such as Quote=Offers.');
    names[service] = [...(names[service] ?? []), name];
  }
  return names;
}

/** The upstream that the options name. */
interface Target {
  readonly transport: Transport;
  readonly apiKey: string;
  readonly overlay: Overlay;
}

function targetOf(values: Values, env: Environment): Target {
  const url = values.url ?? env.UPSTREAM_URL;
  const apiKey = values.key ?? env.WORKSPACE_API_KEY;
  if (!url || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('--url, or UPSTREAM_URL, must be the base address of the upstream, such as https://api.example.com.');
  if (!apiKey) throw new UsageError('There is no API key: set WORKSPACE_API_KEY, or give --key.');
  return { transport: httpTransport({ url, connections: 1 }), apiKey, overlay: overlayOf(values.overlay ?? env.CONTRACT_OVERLAY) };
}

/** Writes the overlay to a file, and says so where there is none to write. */
function propose(file: string, { overlay }: Report, { err }: Output): void {
  if (!overlay) {
    err(`No overlay corrects anything more, so ${file} was not written.\n`);
    return;
  }
  try {
    writeFileSync(file, overlayText(overlay));
  } catch (error) {
    throw new UsageError(
      `--propose must name a file that can be written, but writing ${file} fails with ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
}

/** Waits, and says so. */
const waitingBy =
  ({ err }: Output) =>
  async (ms: number): Promise<void> => {
    err(`Waiting ${Math.ceil(ms / 1000)} s for the next window of the rate limit.\n`);
    await setTimeout(ms);
  };

async function runVerify(values: Values, env: Environment, output: Output): Promise<number> {
  const { out } = output;
  const target = targetOf(values, env);
  const [maxCalls, reserve] = [wholeNumber(values, 'max-calls'), wholeNumber(values, 'reserve')];
  const limits = { ...(maxCalls !== undefined && { maxCalls }), ...(reserve !== undefined && { reserve }) };
  try {
    const waiting = values.wait ? { wait: waitingBy(output) } : {};
    const report = await verify({ ...target, ...limits, ...waiting, serviceNames: serviceNames(values['service-name']) });
    out(values.json ? asJson(report) : values.junit ? asJunit(report) : asText(report));
    if (values.propose) propose(values.propose, report, output);
    return hasDrift(report) ? EXIT.wrong : EXIT.ok;
  } finally {
    await target.transport.close();
  }
}

/** Calls of `can`: the grants, and one for each service. */
const CAN_CALLS = 60;
const CAN_TIMEOUT_MS = 30_000;

const callerOf = (target: Target) => new Caller({ ...target, maxCalls: CAN_CALLS, reserve: 0, timeoutMs: CAN_TIMEOUT_MS });

function rowText({ coordinate, can, missingScopes }: CoordinateRow): string {
  if (can === 'NO') return `no       ${coordinate}  missing ${missingScopes.join(', ')}`;
  return can === 'YES' ? `yes      ${coordinate}` : `unknown  ${coordinate}`;
}

async function runCanAll(values: Values, env: Environment, { out }: Output): Promise<number> {
  const target = targetOf(values, env);
  try {
    const caller = callerOf(target);
    const scopes = await scopesOf(caller);
    caller.scopes = scopes;
    const coordinates = coordinateRows(createGraph().schema, scopes);
    const services = values.live ? await serviceRows(caller) : undefined;
    if (values.json) out(`${JSON.stringify({ coordinates, ...(services && { services }) }, null, 2)}\n`);
    else {
      const untold = scopes ? [] : ['The upstream does not tell the scopes of this key: --live asks each service for one row.', ''];
      const lines = [...untold, ...coordinates.map(rowText)];
      const live = services?.map(({ service, result }) => `${result.padEnd(15)}  ${service}`) ?? [];
      out(`${[...lines, ...(services ? ['', 'A read of one row from each service:', ...live] : [])].join('\n')}\n`);
    }
    return EXIT.ok;
  } finally {
    await target.transport.close();
  }
}

function needsText({ scopes, conditional, isUnknown }: ScopeNeeds, missing: readonly string[] | null): string {
  const told = (scope: string) => (missing?.includes(scope) ? `${scope}  (the key lacks it)` : scope);
  return [
    'Scopes that are needed:',
    ...(scopes.length > 0 ? scopes.map((scope) => `  ${told(scope)}`) : ['  none']),
    ...(conditional.length > 0 ? ['Where the field is given:', ...conditional.map(({ scope, field }) => `  ${scope}  (${field})`)] : []),
    ...(isUnknown ? ['Some of it needs a scope that nobody has documented.'] : []),
    '',
  ].join('\n');
}

async function missingOf(needs: ScopeNeeds, values: Values, env: Environment): Promise<readonly string[] | null> {
  if (!(values.key ?? env.WORKSPACE_API_KEY)) return null;
  const target = targetOf(values, env);
  try {
    const caller = callerOf(target);
    caller.scopes = await scopesOf(caller);
    return caller.missingScopes(needs);
  } finally {
    await target.transport.close();
  }
}

async function runCanDocuments(values: Values, env: Environment, { out }: Output): Promise<number> {
  const documents = (values.document ?? []).map((name) => ({ name, text: textOf(name, '--document') }));
  const needs = needsOfDocuments(createGraph().schema, documents);
  const missing = await missingOf(needs, values, env);
  out(values.json ? `${JSON.stringify({ ...needs, missing }, null, 2)}\n` : needsText(needs, missing));
  return missing && missing.length > 0 ? EXIT.wrong : EXIT.ok;
}

const isForeseen = (error: unknown): error is Error =>
  [UsageError, CannotVerifyError, CannotAskError, KeyRefusedError, BadDocumentError].some((kind) => error instanceof kind);

/** Runs a command, and answers its exit code. Nothing that it writes has the key in it. */
export async function runCommand(args: readonly string[], env: Environment, output: Output): Promise<number> {
  try {
    const { values, positionals } = parsed(args);
    const [command] = positionals;
    if (values.help) {
      output.out(USAGE);
      return EXIT.ok;
    }
    if (command === 'verify') return await runVerify(values, env, output);
    if (command === 'can') return await (values.document ? runCanDocuments : runCanAll)(values, env, output);
    throw new UsageError('The command must be verify or can.');
  } catch (error) {
    if (!isForeseen(error)) throw error;
    output.err(`${error.message}\n${error instanceof UsageError ? USAGE : ''}`);
    return EXIT.failed;
  }
}
