import { createStartError } from '../../src/lib/startup.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import type { RateLimit } from './rateLimit.ts';

export interface SandboxConfig {
  readonly host: string;
  readonly port: number;
  /** Path of the database, or `:memory:`. */
  readonly data: string;
  readonly seed: number;
  /** Number of orders to add to the demo data. */
  readonly extraOrders: number;
  readonly rateLimit: RateLimit;
  /** Whether responses include fields with default values, as the upstream's do. */
  readonly sendsDefaults: boolean;
  readonly deprecations: ReadonlyMap<string, { readonly deprecation: string; readonly sunset: string }>;
  /** Port for arming faults and listing sent messages, on loopback only. Null disables it. */
  readonly adminPort: number | null;
}

const ONE_MINUTE = 60;
/** Ten digits are enough for Unix seconds until 2286. */
const DEPRECATION = /^(\w+\/\w+)@(\d{1,10})\/(\d{1,10})$/;
/** `Number` would also accept other notations, such as 0x50 and 1e3. */
const DIGITS = /^\d+$/;

const names = new Set(operations.map(({ name }) => name));

/** Reads the environment. Throws one error that lists all invalid settings. */
export function readSandboxConfig(env: Readonly<Record<string, string | undefined>>): SandboxConfig {
  const problems: string[] = [];
  /** A blank value counts as missing. */
  const text = (name: string): string => env[name]?.trim() ?? '';
  const integer = (name: string, fallback: number, low: number, high: number): number => {
    const value = Number(text(name) || fallback);
    if (!DIGITS.test(text(name) || String(fallback)) || value < low || value > high) {
      problems.push(`${name} must be an integer from ${low} to ${high}, but is ${text(name)}.`);
    }
    return value;
  };
  const json = text('SANDBOX_JSON') || 'send-defaults';
  if (json !== 'send-defaults' && json !== 'omit-defaults') {
    problems.push(`SANDBOX_JSON must be send-defaults or omit-defaults, but is ${json}.`);
  }
  const deprecations = new Map<string, { deprecation: string; sunset: string }>();
  for (const entry of text('SANDBOX_DEPRECATED').split(',').filter(Boolean)) {
    const [, operation, since, until] = DEPRECATION.exec(entry.trim()) ?? [];
    if (!operation || !names.has(operation)) {
      problems.push(
        `SANDBOX_DEPRECATED must be a list of sandbox operations as Service/Operation@since/until in Unix seconds, but contains ${entry}.`,
      );
      continue;
    }
    deprecations.set(operation, { deprecation: `@${since}`, sunset: new Date(Number(until) * 1000).toUTCString() });
  }
  const config: SandboxConfig = {
    host: text('SANDBOX_HOST') || '127.0.0.1',
    port: integer('SANDBOX_PORT', 4010, 0, 65_535),
    data: text('SANDBOX_DATA') || ':memory:',
    seed: integer('SANDBOX_SEED', 1, 0, 1_000_000),
    extraOrders: integer('SANDBOX_EXTRA_ORDERS', 0, 0, 10_000_000),
    rateLimit: { limit: integer('SANDBOX_RATE_LIMIT', 6_000, 1, 1_000_000), windowSeconds: ONE_MINUTE },
    sendsDefaults: json === 'send-defaults',
    deprecations,
    adminPort: text('SANDBOX_ADMIN_PORT') ? integer('SANDBOX_ADMIN_PORT', 0, 0, 65_535) : null,
  };
  if (problems.length > 0) throw createStartError('sandbox', problems);
  return config;
}
