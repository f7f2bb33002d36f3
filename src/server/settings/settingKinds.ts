import { isLedgerUrl } from '../../ledger/ledgerUrl.ts';
import { countCharacters, isLongerThan } from '../../lib/characters.ts';
import { findProxyProblem } from '../../lib/proxy.ts';
import { isTrustedUrl } from '../../lib/trustedUrl.ts';
import { readTextFile } from '../../lib/utf8.ts';
import type { RenameRule, TagRule } from '../../subgraph/options.ts';
import { NO_OVERLAY, type Overlay, readOverlay } from '../../upstream/contract/overlay.ts';
import { readTrustedDocuments, type TrustedDocuments } from '../documents/trustedDocuments.ts';

/** The parsed value, or its problems, each worded to follow the name of the variable. */
export type Reading<Value> = { readonly value: Value } | { readonly problems: readonly string[] };

/** A kind of setting: the format of its values, and their parser. */
export interface SettingKind<Value> {
  /** Description of the format. */
  readonly form: string;
  /** Parses a value. An empty string means that it's unset. */
  read(text: string): Reading<Value>;
}

/** `Number` would also accept other notations, such as 0x50 and 1e3. */
const DIGITS = /^\d+$/;

/** Integers within a range, inclusive. */
export const integer = (low: number, high: number, unit?: 'ms' | 'MB' | 'bytes'): SettingKind<number> => ({
  form: `integer${unit ? ` (${unit})` : ''}, ${low.toLocaleString('en')} to ${high.toLocaleString('en')}`,
  read: (text) => {
    const value = Number(text);
    const isWithin = DIGITS.test(text) && value >= low && value <= high;
    return isWithin ? { value } : { problems: [`must be an integer from ${low} to ${high}, but is ${text}.`] };
  },
});

/** A kind whose value is undefined if it's unset. */
export const optional = <Value>({ form, read }: SettingKind<Value>): SettingKind<Value | undefined> => ({
  form,
  read: (text) => (text === '' ? { value: undefined } : read(text)),
});

export const flag: SettingKind<boolean> = {
  form: '`true` or `false`',
  read: (text) =>
    text === 'true' || text === 'false' ? { value: text === 'true' } : { problems: [`must be true or false, but is ${text}.`] },
};

export const oneOf = <Word extends string>(words: readonly Word[]): SettingKind<Word> => ({
  form: words.map((word) => `\`${word}\``).join(', '),
  read: (text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? { problems: [`must be one of ${words.join(', ')}, but is ${text}.`] } : { value };
  },
});

export const text: SettingKind<string> = { form: 'string', read: (value) => ({ value }) };

const parseEntries = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** Comma-separated entries. `problemOf` returns the problem of an entry, worded to follow the name of the variable. */
const createList = (entry: string, problemOf: (entry: string) => string | undefined): SettingKind<readonly string[]> => ({
  form: `comma-separated ${entry}`,
  read: (list) => {
    const value = parseEntries(list);
    const problems = value.flatMap((each) => problemOf(each) ?? []);
    return problems.length > 0 ? { problems } : { value };
  },
});

/** The schemes whose URLs have an `origin`. Others, such as those of apps (`capacitor://localhost`), consist of a scheme and a host, too. */
const WEB_SCHEMES = new Set(['http:', 'https:']);

/** A URL’s origin in the form that browsers send. Null if it has none. */
function toOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, origin } = new URL(text);
  if (WEB_SCHEMES.has(protocol)) return origin;
  return host === '' ? null : `${protocol}//${host}`;
}

const formatSuggestion = (suggestion: string | null) => (suggestion === null ? '' : ` Did you mean ${suggestion}?`);

const redactCredentials = (text: string) => text.replace(/\/\/[^/]*@/, '//…@');

/** Origins in the form that browsers send: another form would never match. */
export const origins = createList('origins', (entry) => {
  if (entry === '*') return 'must be a list of origins, but contains *. List the origins that may call the graph.';
  const origin = toOrigin(entry);
  if (origin === entry) return undefined;
  const problem = `must be a list of origins, such as https://app.example, but contains ${redactCredentials(entry)}.`;
  return `${problem} An origin consists of a scheme, a host and optionally a port, without a path or trailing slash.${formatSuggestion(origin)}`;
});

/** A host name, or an IP address as it occurs in URLs. */
const HOST_NAME = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;

/** The host in a string that was probably meant to be one: a URL, or a host with a port. Null if there is none. */
function extractHost(text: string): string | null {
  const candidates = [text, `http://${text}`, `http://[${text}]`];
  const hosts = candidates.map((url) => (URL.canParse(url) ? new URL(url).hostname : ''));
  return hosts.find((host) => HOST_NAME.test(host)) ?? null;
}

/** Host names as they occur in `Host` and `Origin` headers, without ports. */
export const hostNames = createList('host names', (entry) => {
  const host = extractHost(entry);
  if (HOST_NAME.test(entry) && host === entry.toLowerCase()) return undefined;
  const problem = `must be a list of host names, such as tools.example.com, but contains ${redactCredentials(entry)}.`;
  return `${problem} Specify host names without scheme, port and path.${formatSuggestion(host)}`;
});

const ENVIRONMENTS = ['production', 'development', 'test'] as const;

/** Environment of a process; empty if unset. Fails closed: with any other name, GraphiQL and introspection would be enabled. */
export const environment: SettingKind<string> = {
  form: ENVIRONMENTS.map((name) => `\`${name}\``).join(', '),
  read: (value) =>
    value === '' || ENVIRONMENTS.some((name) => name === value)
      ? { value }
      : {
          problems: [
            `must be production, development or test, or unset, but is ${value}. Use production for every deployment that others can reach, such as staging. To enable GraphiQL or introspection there, set GRAPHIQL=true or INTROSPECTION=true.`,
          ],
        },
};

/** Parts of a string that isn't a URL. */
const INVALID_URL = { protocol: '', username: '', password: '', search: '', hash: '' };

/** A base URL to which the paths of calls are appended. Problems don't repeat it, because it can contain a password. */
export const upstreamUrl: SettingKind<string> = {
  form: '`http:` or `https:` URL',
  read: (value) => {
    const { protocol, username, password, search, hash } = URL.canParse(value) ? new URL(value) : INVALID_URL;
    if (protocol !== 'http:' && protocol !== 'https:') return { problems: ['must be an http or https URL.'] };
    if (username || password) return { problems: ['must not contain a user name or password. Clients send their own API keys.'] };
    return search || hash ? { problems: ['must not contain a query string or a fragment.'] } : { value };
  },
};

export const proxyUrl: SettingKind<string> = {
  form: '`http:` or `https:` URL',
  read: (value) => {
    const problem = value === '' ? undefined : findProxyProblem(value);
    return problem ? { problems: [problem] } : { value };
  },
};

export const textList = createList('strings', () => undefined);

/** Base URL of a server that clients reach from elsewhere. */
const createPublicUrlKind = (example: string): SettingKind<string> => ({
  form: '`https:` URL, or `http:` on a loopback address',
  read: (value) => {
    if (value === '') return { value };
    const { username, password, search, hash } = URL.canParse(value) ? new URL(value) : INVALID_URL;
    if (!isTrustedUrl(value) || username || password || search || hash)
      return {
        problems: [
          `must be an https URL without credentials, query string and fragment, such as ${example}. http is only allowed on loopback addresses.`,
        ],
      };
    return { value };
  },
});

export const issuerUrl = createPublicUrlKind('https://login.example.com');

export const publicUrl = createPublicUrlKind('https://graph.example.com');

/** Location of a key store. Problems don't repeat it, because it can contain a password. */
export const keyStore: SettingKind<string> = {
  form: '`file:`, `env:`, `redis:` or `rediss:` location',
  read: (value) =>
    value === '' || /^(?:file|env):./s.test(value) || (/^rediss?:/.test(value) && URL.canParse(value) && new URL(value).host !== '')
      ? { value }
      : {
          problems: [
            'must be file:<path>, env:<variable>, or redis://<host> or rediss://<host> with an optional port and database number.',
          ],
        },
};

/** URL of a ledger. Problems don't repeat it, because it can contain a password. */
export const ledgerUrl: SettingKind<string> = {
  form: '`file:`, `redis:` or `rediss:` URL',
  read: (value) =>
    isLedgerUrl(value)
      ? { value }
      : {
          problems: ['must be file:<path>, or redis://<host> or rediss://<host> with an optional port and database number.'],
        },
};

/** A coordinate with its tag. Source of the characters and the length of a tag: the specification of Apollo Federation, `@tag`. */
const TAG_RULE = /^([\w*]+(?:\.[\w*]+)?)=([\w/-]{1,128})$/;

export const tagRules: SettingKind<readonly TagRule[]> = {
  form: 'comma-separated `coordinate=tag` pairs',
  read: (list) => {
    const rules: TagRule[] = [];
    const problems: string[] = [];
    for (const entry of parseEntries(list)) {
      const [, coordinate, tag] = TAG_RULE.exec(entry) ?? [];
      if (coordinate && tag) rules.push({ coordinate, tag });
      else problems.push(`must be a list of \`coordinate=tag\` pairs, such as Query.customer*=public, but contains ${entry}.`);
    }
    return problems.length > 0 ? { problems } : { value: rules };
  },
};

/** Coordinates with their new names. Whether they match the schema is checked when it is built. */
export const renameRules: SettingKind<readonly RenameRule[]> = {
  form: 'comma-separated `coordinate=name` pairs',
  read: (list) => ({
    value: parseEntries(list).map((entry) => {
      const [coordinate = '', name = '', ...rest] = entry.split('=').map((part) => part.trim());
      return { coordinate, name: [name, ...rest].join('=') };
    }),
  }),
};

/** The value in a file. Problems contain the path, which isn’t secret. */
const createFileKind = <Value>(form: string, none: Value, read: (text: string, file: string) => Reading<Value>): SettingKind<Value> => ({
  form,
  read: (file) => {
    if (file === '') return { value: none };
    try {
      return read(readTextFile(file), file);
    } catch (error) {
      return {
        problems: [`must be the path of a readable file, but reading ${file} failed with ${(error as NodeJS.ErrnoException).code}.`],
      };
    }
  },
});

/** A file that corrects the contract. */
export const overlayFile = createFileKind<Overlay>('path of a JSON or YAML file', NO_OVERLAY, (text, file) => {
  const reading = readOverlay(text);
  return 'overlay' in reading ? { value: reading.overlay } : { problems: reading.problems.map((problem) => `(${file}): ${problem}`) };
});

/** A file of trusted documents. */
export const documentsFile = createFileKind<TrustedDocuments>('path of a JSON file', new Map(), (text) => {
  const reading = readTrustedDocuments(text);
  return 'documents' in reading ? { value: reading.documents } : { problems: [reading.problem] };
});

const PREFIX = /^[A-Z][A-Za-z0-9]*$/;

export const typePrefix: SettingKind<string> = {
  form: 'letters and digits, starting with a capital letter',
  read: (value) =>
    value === '' || PREFIX.test(value)
      ? { value }
      : { problems: [`must consist of letters and digits and start with a capital letter, such as Desk, but is ${value}.`] },
};

/** Minimum length of a secret, in characters. A random string of this length can't be guessed. */
const MIN_SECRET = 32;

/** A secret. Problems don't repeat it. */
export const secret: SettingKind<string> = {
  form: `string of at least ${MIN_SECRET} characters`,
  read: (value) =>
    value === '' || isLongerThan(value, MIN_SECRET - 1)
      ? { value }
      : {
          problems: [
            `must have at least ${MIN_SECRET} characters, but has ${countCharacters(value)}. Generate one with \`openssl rand -base64 32\`.`,
          ],
        },
};
