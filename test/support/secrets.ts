import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DEMO_KEYS, NEIGHBOUR_KEYS } from '../../sandbox/workspace/workspaceDemo.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';

/** Environment variable with the path of a file, to which the run appends the secrets that its sandboxes return. Unset if no search takes place. */
const LIST = 'SECRETS_HANDED_OUT';

/** Sets the file for the list of secrets. */
export const setSecretsFile = (file: string): void => {
  process.env[LIST] = file;
};

const sensitive = new Map(operations.map(({ name, sensitive: paths = [] }) => [name, paths]));

/** Minimum length of a secret, in characters. Random secrets have 43. Values that clients send, such as content types, are shorter. */
const MIN_LENGTH = 24;

/** The unguessable part of a link: its longest word. */
function findSecrets(value: string): string[] {
  const words = value.match(/[\w-]+/g) ?? [];
  const longest = words.toSorted((one, other) => other.length - one.length)[0] ?? '';
  return longest.length < MIN_LENGTH ? [] : [longest];
}

function collectStrings(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (name !== undefined) return collectStrings((value as Readonly<Record<string, unknown>>)[name], rest);
  return Object.values(value).flatMap((each) => collectStrings(each, []));
}

/** The secrets in a response: values that grant access to anyone who has them, in the fields that the contract marks. */
export function findResponseSecrets(operation: string, body: string): string[] {
  const paths = sensitive.get(operation) ?? [];
  return paths.flatMap((path) => collectStrings(JSON.parse(body), path.split('.'))).flatMap(findSecrets);
}

/** Records the secrets in a response. */
export function appendSecrets(operation: string, body: string): void {
  const list = process.env[LIST];
  if (list === undefined) return;
  const secrets = findResponseSecrets(operation, body);
  if (secrets.length > 0) appendFileSync(list, secrets.map((secret) => `${secret}\n`).join(''));
}

export const readRecordedSecrets = (list: string): string[] =>
  existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];

/** API keys of the demo workspaces, and those that tests create. */
const API_KEY = new RegExp(`\\b(?:${[...DEMO_KEYS, ...NEIGHBOUR_KEYS].map(({ key }) => key).join('|')}|test-key-\\d+)\\b`, 'g');

/** Occurs in the database of a sandbox, which contains API keys by design. */
const UPSTREAM_DATA = 'CREATE TABLE api_keys';

/** Length of the prefix that secrets are indexed by. */
const START = 12;

/** Searches a text for many secrets in one pass. */
export class SecretSearch {
  readonly #byStart = new Map<string, string[]>();

  constructor(secrets: Iterable<string>) {
    for (const secret of new Set(secrets)) {
      const start = secret.slice(0, START);
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), secret]);
    }
  }

  searchText(text: string): string[] {
    const found = new Set(text.includes(UPSTREAM_DATA) ? [] : text.match(API_KEY));
    for (let at = 0; at + START <= text.length; at += 1) {
      for (const secret of this.#byStart.get(text.slice(at, at + START)) ?? []) if (text.startsWith(secret, at)) found.add(secret);
    }
    return [...found];
  }

  /** Files in a folder that contain secrets, with the start of each secret. */
  searchFolder(folder: string): string[] {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.flatMap(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const found = this.searchText(readFileSync(file, 'latin1'));
      return found.length === 0 ? [] : [`${relative(folder, file)}: ${found.map((secret) => `${secret.slice(0, START)}…`).join(', ')}`];
    });
  }
}
