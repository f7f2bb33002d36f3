import type { SettingKind } from './settingKinds.ts';

/** A conditional default, used if another variable has this value, or any value. */
export interface DefaultWhere {
  readonly variable: string;
  readonly is?: string;
  readonly default: string;
}

/**
 * A requirement: if the setting has the value `where`, or any other than its default, and the variable `if` is set, `variable` must have the value `is`, or any
 * value.
 */
export interface Need {
  readonly where?: string;
  readonly if?: string;
  readonly variable: string;
  readonly is?: string;
}

/** Definition of a setting, from which the configuration, its validation and docs/configuration.md are derived. */
export interface Setting<Value> {
  readonly group: Group;
  readonly kind: SettingKind<Value>;
  /** Raw default value. Empty for none. */
  readonly default: string;
  /** Description of the default, if it isn't a literal value. */
  readonly defaultDescription?: string;
  readonly defaultWhere?: DefaultWhere;
  readonly needs?: readonly Need[];
  /** Another name of the variable, used if the variable isn't set. */
  readonly alias?: string;
  /** Description in Markdown, with links relative to docs/. */
  readonly description: string;
}

/** Headings of docs/configuration.md, in order. */
export const GROUPS = [
  'Server',
  'Upstream',
  'Operation limits',
  'Process limits',
  'Performance',
  'Idempotency keys',
  'Sign-in',
  'Documents and schema',
  'Live updates',
  'Agent tools',
  'Federation',
  'Runtime',
] as const;
type Group = (typeof GROUPS)[number];
