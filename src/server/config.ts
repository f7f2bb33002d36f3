import { StartError } from '../lib/starting.ts';
import type { SubgraphOptions } from '../subgraph/options.ts';
import type { Kind } from './settingKinds.ts';
import { SETTINGS } from './settings.ts';
import type { Need, Setting } from './settingTypes.ts';

type ValueOf<Given> = Given extends { readonly kind: Kind<infer Value> } ? Value : never;

/** Values of all settings, by their variables. Read once, at start. */
export type Config = { readonly [Variable in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Variable]> };

type Environment = Readonly<Record<string, string | undefined>>;

const settings: Readonly<Record<string, Setting<unknown>>> = SETTINGS;

/** Text of a setting: the environment's, or the default. Blank counts as unset. */
function textOf(variable: string, env: Environment): string {
  const text = env[variable]?.trim();
  const setting = settings[variable];
  if (text || !setting) return text ?? '';
  const { default: usual, defaultWhere } = setting;
  if (!defaultWhere) return usual;
  const other = textOf(defaultWhere.variable, env);
  const isSo = defaultWhere.is === undefined ? other !== '' : other === defaultWhere.is;
  return isSo ? defaultWhere.default : usual;
}

/** Problem of a setting that needs another one; undefined where that is given. */
function unmet(variable: string, { where, variable: other, is }: Need, env: Environment): string | undefined {
  if (textOf(variable, env) !== where) return undefined;
  const text = textOf(other, env);
  if (is === undefined ? text !== '' : text === is) return undefined;
  const wanted = is === undefined ? other : `${other}=${is}`;
  return `${variable}=${where} requires ${wanted}. Set ${wanted}, or change ${variable}.`;
}

/** Reads one setting, for commands that need no others. Throws StartError if it's invalid. */
export function readSetting<Variable extends keyof Config>(variable: Variable, env: Environment): Config[Variable] {
  const reading = settings[variable]?.kind.read(textOf(variable, env));
  if (reading && 'value' in reading) return reading.value as Config[Variable];
  throw new StartError(`${variable} ${reading?.problems.join(' ')}`);
}

/** Reads the environment. Throws one StartError that lists every problem. */
export function readConfig(env: Environment): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [variable, { kind, needs }] of Object.entries(settings)) {
    const reading = kind.read(textOf(variable, env));
    if ('value' in reading) values[variable] = reading.value;
    else problems.push(...reading.problems.map((problem) => `${variable} ${problem}`));
    const problem = needs && unmet(variable, needs, env);
    if (problem) problems.push(problem);
  }
  if (problems.length > 0) throw new StartError(`The graph cannot start:\n  ${problems.join('\n  ')}`);
  return values as Config;
}

/** The settings of the schema, as it is built from them. */
export const subgraphOf = (config: Config): SubgraphOptions => ({
  hasRawRecords: config.RAW_RECORDS,
  hasNode: config.SUBGRAPH_NODE,
  hasRequiresScopes: config.SUBGRAPH_REQUIRES_SCOPES,
  tags: config.SUBGRAPH_TAGS,
  renames: config.SUBGRAPH_RENAME,
  typePrefix: config.SUBGRAPH_TYPE_PREFIX,
});
