import { readFileSync } from 'node:fs';
import { isLedgerAddress } from '../ledger/address.ts';
import type { RenameRule, TagRule } from '../subgraph/options.ts';
import { NO_OVERLAY, type Overlay, readOverlay } from '../upstream/contract/overlay.ts';

/** The parsed value, or its problems: each continues a sentence that starts with the name of the variable. */
export type Reading<Value> = { readonly value: Value } | { readonly problems: readonly string[] };

/** A kind of setting: the format of its values, and their parser. */
export interface Kind<Value> {
  /** The form of a value, for people. */
  readonly form: string;
  /** Reads a value; the empty text stands for none. */
  read(text: string): Reading<Value>;
}

/** `Number` would also take other ways to write a number, such as 0x50 and 1e3. */
const WHOLE = /^\d+$/;

/** Integers between two bounds, both allowed. */
export const wholeNumber = (low: number, high: number, unit?: 'ms' | 'MB' | 'bytes'): Kind<number> => ({
  form: `integer${unit ? ` (${unit})` : ''}, ${low.toLocaleString('en')} to ${high.toLocaleString('en')}`,
  read: (text) => {
    const value = Number(text);
    const isWithin = WHOLE.test(text) && value >= low && value <= high;
    return isWithin ? { value } : { problems: [`must be an integer from ${low} to ${high}, but is ${text}.`] };
  },
});

/** A kind whose value is undefined where none is given. */
export const optional = <Value>({ form, read }: Kind<Value>): Kind<Value | undefined> => ({
  form,
  read: (text) => (text === '' ? { value: undefined } : read(text)),
});

export const flag: Kind<boolean> = {
  form: '`true` or `false`',
  read: (text) =>
    text === 'true' || text === 'false' ? { value: text === 'true' } : { problems: [`must be true or false, but is ${text}.`] },
};

export const oneOf = <Word extends string>(words: readonly Word[]): Kind<Word> => ({
  form: words.map((word) => `\`${word}\``).join(', '),
  read: (text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? { problems: [`must be one of ${words.join(', ')}, but is ${text}.`] } : { value };
  },
});

export const text: Kind<string> = { form: 'string', read: (value) => ({ value }) };

const entriesOf = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** Texts that are separated by commas. */
export const listOf = (entry: string): Kind<readonly string[]> => ({
  form: `comma-separated ${entry}`,
  read: (list) => ({ value: entriesOf(list) }),
});

/** Parts of a text that is no address. */
const NO_ADDRESS = { protocol: '', username: '', password: '', search: '', hash: '' };

/** An address that calls are made from by adding a path. Problems do not repeat it: a password may be in it. */
export const callAddress: Kind<string> = {
  form: '`http:` or `https:` URL',
  read: (value) => {
    const { protocol, username, password, search, hash } = URL.canParse(value) ? new URL(value) : NO_ADDRESS;
    if (protocol !== 'http:' && protocol !== 'https:') return { problems: ['must be an http or https URL.'] };
    if (username || password) return { problems: ['must not contain a user name or password. Clients send their own API keys.'] };
    return search || hash ? { problems: ['must not contain a query string or a fragment.'] } : { value };
  },
};

/** An address of a ledger. Problems do not repeat it: a password may be in it. */
export const ledgerAddress: Kind<string> = {
  form: '`file:`, `redis:` or `rediss:` URL',
  read: (value) =>
    isLedgerAddress(value)
      ? { value }
      : {
          problems: ['must be file:<path>, or redis://<host> or rediss://<host> with an optional port and database number.'],
        },
};

/** A coordinate with its tag. Source of the characters and the length of a tag: the specification of Apollo Federation, `@tag`. */
const TAG_RULE = /^([\w*]+(?:\.[\w*]+)?)=([\w/-]{1,128})$/;

export const tagRules: Kind<readonly TagRule[]> = {
  form: 'comma-separated `coordinate=tag` pairs',
  read: (list) => {
    const rules: TagRule[] = [];
    const problems: string[] = [];
    for (const entry of entriesOf(list)) {
      const [, coordinate, tag] = TAG_RULE.exec(entry) ?? [];
      if (coordinate && tag) rules.push({ coordinate, tag });
      else problems.push(`must be a list of \`coordinate=tag\` pairs, such as Query.customer*=public, but contains ${entry}.`);
    }
    return problems.length > 0 ? { problems } : { value: rules };
  },
};

/** Coordinates with their new names. Whether they fit the schema is told when it is built, all at once. */
export const renameRules: Kind<readonly RenameRule[]> = {
  form: 'comma-separated `coordinate=name` pairs',
  read: (list) => ({
    value: entriesOf(list).map((entry) => {
      const [coordinate = '', name = '', ...rest] = entry.split('=').map((part) => part.trim());
      return { coordinate, name: [name, ...rest].join('=') };
    }),
  }),
};

/** A file that corrects the contract. Problems name the file: a path is no secret. */
export const overlayFile: Kind<Overlay> = {
  form: 'path of a JSON or YAML file',
  read: (file) => {
    if (file === '') return { value: NO_OVERLAY };
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      return {
        problems: [`must be the path of a readable file, but reading ${file} failed with ${(error as NodeJS.ErrnoException).code}.`],
      };
    }
    const reading = readOverlay(text);
    return 'overlay' in reading ? { value: reading.overlay } : { problems: reading.problems.map((problem) => `(${file}): ${problem}`) };
  },
};

const PREFIX = /^[A-Z][A-Za-z0-9]*$/;

export const typePrefix: Kind<string> = {
  form: 'letters and digits, starting with a capital letter',
  read: (value) =>
    value === '' || PREFIX.test(value)
      ? { value }
      : { problems: [`must consist of letters and digits and start with a capital letter, such as Desk, but is ${value}.`] },
};

/** The shortest secret, in characters: of random letters, none can be guessed. */
const MIN_SECRET = 32;

/** A secret. Problems do not repeat it. */
export const secret: Kind<string> = {
  form: `string of at least ${MIN_SECRET} characters`,
  read: (value) =>
    value === '' || value.length >= MIN_SECRET
      ? { value }
      : {
          problems: [
            `must have at least ${MIN_SECRET} characters, but has ${value.length}. Generate one with \`openssl rand -base64 32\`.`,
          ],
        },
};

const TOOL_PREFIX = /^[a-z][a-z0-9_]{0,31}$/;

export const toolPrefix: Kind<string> = {
  form: 'lowercase letters, digits and `_`, starting with a letter, at most 32 characters',
  read: (value) =>
    TOOL_PREFIX.test(value)
      ? { value }
      : {
          problems: [
            `must consist of at most 32 lowercase letters, digits and underscores and start with a letter, such as desk, but is ${value}.`,
          ],
        },
};
