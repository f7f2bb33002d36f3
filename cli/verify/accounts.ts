import { statSync } from 'node:fs';
import { isJsonObject, parseJson } from '../../src/lib/json.ts';
import { escapeText, quoteText } from '../../src/lib/printableText.ts';
import { connectRedis } from '../../src/lib/redis.ts';
import { StartError } from '../../src/lib/startup.ts';
import { readTextFile } from '../../src/lib/utf8.ts';
import { findAssignmentProblem, findPermissionProblem, parseAssignments, parseStoreLocation } from '../../src/server/auth/keyStore.ts';
import { type Environment, readSetting, readVariable } from '../../src/server/settings/config.ts';
import { type Caller, KeyRejectedError } from './caller.ts';
import { fetchScopes, ScopesUnavailableError } from './can.ts';

/**
 * Result of checking an account's assignment.
 * - `NO_KEY`: the store has no entry for the claim value.
 * - `MALFORMED`: the entry is invalid.
 * - `KEY_REJECTED`: the upstream rejects the API key.
 * - `MISSING_SCOPE`: the API key lacks scopes that the account is allowed.
 * - `UNKNOWN`: the upstream accepts the API key, but doesn't report its scopes.
 * - `UNCHECKED`: the upstream couldn't be reached, or rejected the call for another reason.
 */
type AccountResult = 'OK' | 'NO_KEY' | 'MALFORMED' | 'KEY_REJECTED' | 'MISSING_SCOPE' | 'UNKNOWN' | 'UNCHECKED';

/** An account, by the claim value that an API key is assigned to. */
interface AccountRow {
  readonly account: string;
  readonly result: AccountResult;
  /** Details of the result, without the API key. Null if there are none. */
  readonly detail: string | null;
  readonly missingScopes: readonly string[];
}

/** Report on the assignments of API keys. Contains claim values and scopes, but no API keys. */
export interface AccountReport {
  /** Problem of the store itself. Null if it has none. */
  readonly problem: string | null;
  readonly accounts: readonly AccountRow[];
}

interface StoreContent {
  readonly problem: string | null;
  /** Entries by claim value. Undefined for a claim value without an entry. */
  readonly entries: ReadonlyMap<string, unknown>;
}

/** Reads all entries of a JSON text, or those of the given claim values. */
function selectEntries(text: string, source: string, claimValues: readonly string[]): StoreContent['entries'] {
  const all = parseAssignments(text, source);
  const selected = claimValues.length > 0 ? claimValues : Object.keys(all);
  return new Map(selected.map((value) => [value, Object.hasOwn(all, value) ? all[value] : undefined]));
}

async function readRedis(url: string, prefix: string, claimValues: readonly string[]): Promise<StoreContent['entries']> {
  // Commands fail, too, so that errors of the connection needn't be reported.
  const redis = await connectRedis(url, () => {}, 'AUTH_KEYS');
  try {
    const entries = new Map<string, unknown>();
    for (const value of claimValues) {
      const text = await redis.get(prefix + value);
      entries.set(value, text === null ? undefined : (parseJson(text) ?? null));
    }
    return entries;
  } finally {
    await redis.close();
  }
}

/** Reads the key store of `AUTH_KEYS`. Throws StartError if that's impossible. */
async function readStore(env: Environment, claimValues: readonly string[]): Promise<StoreContent> {
  const location = readSetting('AUTH_KEYS', env);
  if (location === '') throw new StartError('Missing key store. Set AUTH_KEYS, as for the graph.');
  const place = parseStoreLocation(location);
  if (place.kind === 'redis' && claimValues.length === 0)
    throw new StartError(
      `Key stores in Redis can’t be listed. Specify each account to check with --account and its value of the claim ${readSetting('AUTH_CLAIM', env)}.`,
    );
  try {
    if (place.kind === 'redis') return { problem: null, entries: await readRedis(place.url, place.prefix, claimValues) };
    if (place.kind === 'env')
      return { problem: null, entries: selectEntries(readVariable(place.variable, env), place.variable, claimValues) };
    const { path } = place;
    const problem = findPermissionProblem(path, statSync(path));
    return {
      problem: problem === undefined ? null : `${path} ${problem}`,
      entries: selectEntries(readTextFile(path), path, claimValues),
    };
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`AUTH_KEYS: ${(error as Error).message}`, { cause: error });
  }
}

/** Result of checking an API key. */
type KeyCheck = Pick<AccountRow, 'result' | 'detail'> & { readonly caller: Caller };

async function checkKey(caller: Caller): Promise<KeyCheck> {
  try {
    const scopes = await fetchScopes(caller);
    caller.scopes = scopes;
    return scopes
      ? { result: 'OK', detail: null, caller }
      : { result: 'UNKNOWN', detail: 'The upstream doesn’t report the scopes of the key.', caller };
  } catch (error) {
    if (error instanceof KeyRejectedError) return { result: 'KEY_REJECTED', detail: error.message, caller };
    if (error instanceof ScopesUnavailableError) return { result: 'UNCHECKED', detail: error.message, caller };
    throw error;
  }
}

/** Checks the assignments of API keys to accounts, with one call for each distinct key. `claimValues`: the accounts to check, or none for all. */
export async function checkAccounts(
  env: Environment,
  claimValues: readonly string[],
  createCaller: (apiKey: string) => Caller,
): Promise<AccountReport> {
  const { problem, entries } = await readStore(env, claimValues);
  const checks = new Map<string, KeyCheck>();
  const accounts: AccountRow[] = [];
  for (const [account, entry] of entries) {
    const malformed = findAssignmentProblem(entry);
    if (malformed !== undefined || !isJsonObject(entry)) {
      const isMissing = entry === undefined;
      accounts.push({
        account,
        result: isMissing ? 'NO_KEY' : 'MALFORMED',
        detail: isMissing ? 'No API key is assigned.' : `The entry ${malformed}`,
        missingScopes: [],
      });
      continue;
    }
    const { key, scopes = [] } = entry as { readonly key: string; readonly scopes?: readonly string[] };
    const check = checks.get(key) ?? (await checkKey(createCaller(key)));
    checks.set(key, check);
    const { result, detail, caller } = check;
    const missingScopes = result === 'OK' ? caller.listMissingScopes({ scopes }) : [];
    accounts.push({ account, result: missingScopes.length > 0 ? 'MISSING_SCOPE' : result, detail, missingScopes });
  }
  return { problem, accounts };
}

const PROBLEMS: ReadonlySet<AccountResult> = new Set(['NO_KEY', 'MALFORMED', 'KEY_REJECTED', 'MISSING_SCOPE']);

const listProblems = ({ accounts }: AccountReport) => accounts.filter(({ result }) => PROBLEMS.has(result));

export const hasProblem = (report: AccountReport): boolean => report.problem !== null || listProblems(report).length > 0;

export const isIncomplete = ({ accounts }: AccountReport): boolean => accounts.some(({ result }) => result === 'UNCHECKED');

/** Claim values can be any text. One with spaces or control characters is quoted. */
const formatAccount = (account: string) => (/^[\x21-\x7e]+$/.test(account) ? account : quoteText(account, account.length));

function formatRow({ account, result, detail, missingScopes }: AccountRow): string {
  const reason = missingScopes.length > 0 ? `The key lacks ${missingScopes.join(', ')}.` : detail;
  return [result.padEnd('MISSING_SCOPE'.length), formatAccount(account), ...(reason === null ? [] : [reason])].join('  ');
}

/** Formats a report as text, for people. */
export function formatAccounts(report: AccountReport): string {
  const { problem, accounts } = report;
  const head = `${accounts.length} accounts, ${listProblems(report).length} with a problem.`;
  return `${[head, ...(problem === null ? [] : [problem]), ...accounts.map(formatRow)].map(escapeText).join('\n')}\n`;
}
