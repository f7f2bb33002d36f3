import type { HttpProxy } from '../../lib/proxy.ts';
import { createStartError, StartError } from '../../lib/startup.ts';
import type { SubgraphOptions } from '../../subgraph/options.ts';
import type { SettingKind } from './settingKinds.ts';
import { SETTINGS } from './settings.ts';
import type { Need, Setting } from './settingTypes.ts';

/** Whether one edit turns a string into another one: inserting, deleting, or replacing a character, or swapping two adjacent ones. False if they're equal. */
function isOneEditApart(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const rests = [one.slice(start), other.slice(start)] as const;
  const [first, second] = rests;
  if (first.slice(1) === second || first === second.slice(1) || first.slice(1) === second.slice(1)) return true;
  return first[0] === second[1] && first[1] === second[0] && first.slice(2) === second.slice(2);
}

type SettingValue<Given> = Given extends { readonly kind: SettingKind<infer Value> } ? Value : never;

/** Values of all settings, by their variables. Read once, at start. */
export type Config = { readonly [Variable in keyof typeof SETTINGS]: SettingValue<(typeof SETTINGS)[Variable]> };

export type Environment = Readonly<Record<string, string | undefined>>;

const settings: Readonly<Record<string, Setting<unknown>>> = SETTINGS;

/** Raw value of a setting: from the environment, or the default. A blank value counts as unset. */
function getRawValue(variable: string, env: Environment): string {
  const setting = settings[variable];
  const text = env[variable]?.trim() || (setting?.alias && env[setting.alias]?.trim());
  if (text || !setting) return text ?? '';
  const { default: usual, defaultWhere } = setting;
  if (!defaultWhere) return usual;
  const other = getRawValue(defaultWhere.variable, env);
  const matches = defaultWhere.is === undefined ? other !== '' : other === defaultWhere.is;
  return matches ? defaultWhere.default : usual;
}

/** The problem of a setting that requires another one. Undefined if the requirement is met. */
function findUnmetNeed(variable: string, { where, if: condition, variable: other, is }: Need, env: Environment): string | undefined {
  const own = getRawValue(variable, env);
  if (where === undefined ? own === settings[variable]?.default : own !== where) return undefined;
  if (condition !== undefined && getRawValue(condition, env) === '') return undefined;
  const text = getRawValue(other, env);
  if (is === undefined ? text !== '' : text === is) return undefined;
  const wanted = is === undefined ? other : `${other}=${is}`;
  const subject = `${where === undefined ? variable : `${variable}=${where}`}${condition === undefined ? '' : ` with ${condition}`}`;
  return `${subject} requires ${wanted}. Set ${wanted}, or change ${variable}.`;
}

/** Reads one setting, for commands that need no others. Throws StartError if it's invalid. */
export function readSetting<Variable extends keyof Config>(variable: Variable, env: Environment): Config[Variable] {
  const reading = settings[variable]?.kind.read(getRawValue(variable, env));
  if (reading && 'value' in reading) return reading.value as Config[Variable];
  throw new StartError(`${variable} ${reading?.problems.join(' ')}`);
}

/** The shortest setting whose misspellings are recognized. Chosen: names such as APP and MAP are one edit away from shorter ones, and mean something else. */
const MIN_MISSPELLED = 4;

/** An environment variable whose name is probably a misspelled setting. */
interface Misspelling {
  readonly variable: string;
  readonly setting: string;
}

/** Variables that other programs read, and whose names resemble settings. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set(['HTTP_PROXY', 'http_proxy']);

function findMisspellings(env: Environment): Misspelling[] {
  const aliases = new Set(Object.values(settings).map(({ alias }) => alias));
  const known = Object.keys(settings).filter((setting) => setting.length >= MIN_MISSPELLED);
  return Object.keys(env).flatMap((variable) => {
    if (Object.hasOwn(settings, variable) || aliases.has(variable) || OTHER_VARIABLES.has(variable)) return [];
    const setting = known.find((each) => each === variable.toUpperCase() || isOneEditApart(each, variable.toUpperCase()));
    return setting === undefined ? [] : [{ variable, setting }];
  });
}

/** Settings of earlier versions, and what replaces them. Reported at start if they're still set. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'MAX_CONCURRENT_CALLS_PER_KEY',
      'MAX_CONCURRENT_CALLS_PER_SERVICE',
      'ANALYTICS_MAX_CONCURRENT_CALLS',
      'ANALYTICS_MAX_CONCURRENT_CALLS_PER_KEY',
    ].map((name) => [`UPSTREAM_${name}`, 'Set UPSTREAM_CONNECTIONS, from which the limit is derived.']),
  ),
  MCP_PREFIX: 'Names of tools always start with `svc_`.',
  COST_EXTENSION: 'Responses always have `extensions.cost`, which clients can ignore.',
  RAW_RECORDS: 'Compare the upstream’s responses with the contract by `workspace-graph verify`.',
};

/** A removed setting that is still set, and what replaces it. */
interface RemovedSetting {
  readonly variable: string;
  readonly instead: string;
}

/** The parsed environment, with all its problems. */
export interface Settings {
  /** Malformed settings have their defaults, so that the rest of the start can be checked, too. */
  readonly config: Config;
  readonly problems: readonly string[];
  /** Malformed settings, and those that require another one. */
  readonly invalid: ReadonlySet<string>;
  readonly misspellings: readonly Misspelling[];
  readonly removed: readonly RemovedSetting[];
}

export function readSettings(env: Environment): Settings {
  const values: Record<string, unknown> = {};
  const invalid = new Set<string>();
  const problems: string[] = [];
  for (const [variable, { kind, needs = [], default: usual }] of Object.entries(settings)) {
    const reading = kind.read(getRawValue(variable, env));
    if ('value' in reading) values[variable] = reading.value;
    else {
      const fallback = kind.read(usual);
      if ('value' in fallback) values[variable] = fallback.value;
      problems.push(...reading.problems.map((problem) => `${variable} ${problem}`));
    }
    const unmet = needs.flatMap((need) => findUnmetNeed(variable, need, env) ?? []);
    problems.push(...unmet);
    if (!('value' in reading) || unmet.length > 0) invalid.add(variable);
  }
  const removed = Object.entries(REMOVED_SETTINGS).flatMap(([variable, instead]) => (env[variable]?.trim() ? [{ variable, instead }] : []));
  return { config: values as Config, problems, invalid, misspellings: findMisspellings(env), removed };
}

/** Reads the environment. Throws one StartError that lists every problem. */
export function readConfig(env: Environment): Config {
  const { config, problems } = readSettings(env);
  if (problems.length > 0) throw createStartError('graph', problems);
  return config;
}

/** The proxy for https requests. Undefined if none is set. */
export const getProxy = ({ HTTPS_PROXY: url, NO_PROXY: except }: Pick<Config, 'HTTPS_PROXY' | 'NO_PROXY'>): HttpProxy | undefined =>
  url === '' ? undefined : { url, except };

/** Value of a variable that a setting names. Empty if it isn't set. */
export const readVariable = (name: string, env: Environment): string => env[name] ?? '';

/** Message of the error for a request without a credential. */
export function describeMissingCredential({ AUTH_ISSUER: issuer, AUTH_API_KEYS: acceptsKeys }: Config): string {
  if (issuer === '') return 'Missing API key. Send it as `Authorization: Bearer <key>` or `X-API-Key: <key>`.';
  const alternative = acceptsKeys ? ', or an API key as `X-API-Key: <key>`' : '';
  return `Missing access token. Sign in, and send the token as \`Authorization: Bearer <token>\`${alternative}.`;
}

/** The settings that the schema is built from. */
export const getSubgraphOptions = (config: Config): SubgraphOptions => ({
  hasNode: config.SUBGRAPH_NODE,
  hasRequiresScopes: config.SUBGRAPH_REQUIRES_SCOPES,
  tags: config.SUBGRAPH_TAGS,
  renames: config.SUBGRAPH_RENAME,
  typePrefix: config.SUBGRAPH_TYPE_PREFIX,
});
