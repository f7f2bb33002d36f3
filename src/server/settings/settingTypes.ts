import type { Kind } from './settingKinds.ts';

/** Another default of a setting, where another variable has a value: this one, or any. */
export interface DefaultWhere {
  readonly variable: string;
  readonly is?: string;
  readonly default: string;
}

/** A setting that another one needs: where the one has the value `where`, `variable` must be `is`, or be given at all. */
export interface Need {
  readonly where: string;
  readonly variable: string;
  readonly is?: string;
}

/** A setting of the graph: a line of the table from which the configuration, its checks and docs/configuration.md follow. */
export interface Setting<Value> {
  readonly group: Group;
  readonly kind: Kind<Value>;
  /** Text of the value where none is given; empty for none. */
  readonly default: string;
  /** Words for the default, where it is not a text that could be given. */
  readonly defaultTold?: string;
  readonly defaultWhere?: DefaultWhere;
  readonly needs?: Need;
  /** Sentence that says what the setting does. Markdown, with links from docs/. */
  readonly description: string;
}

/** Headings of the page, in its order. */
export const GROUPS = [
  'Server',
  'Upstream',
  'Operation limits',
  'Process limits',
  'Performance',
  'Idempotency keys',
  'Documents and schema',
  'Agent tools',
  'Federation',
  'Runtime',
] as const;
type Group = (typeof GROUPS)[number];
