import { toFileError } from '../src/lib/startup.ts';
import { services } from './all.gen.ts';
import { FULL, openWorld } from './demo.ts';
import { startAdmin } from './kernel/admin.ts';
import type { SandboxConfig } from './kernel/config.ts';
import { type Sandbox, type SandboxOptions, startServer } from './kernel/server.ts';
import type { World } from './kernel/world.ts';
import { DEMO_KEYS, type DemoKey, NEIGHBOUR_KEYS } from './workspace/workspaceDemo.ts';

export interface ServedSandbox extends Sandbox {
  /** URL of the admin server. Null if it's disabled. */
  readonly adminUrl: string | null;
}

function openData({ data, seed, extraOrders }: SandboxConfig): World {
  try {
    return openWorld({ data, seed, clock: Date.now }, { ...FULL, extraOrders });
  } catch (error) {
    throw toFileError(error, 'SANDBOX_DATA', data);
  }
}

/** Starts a server for all domains. Port 0 selects a free port. */
export const startSandbox = (options: Omit<SandboxOptions, 'services'>, port: number, host?: string): Promise<Sandbox> =>
  startServer({ ...options, services }, port, host);

/** Opens the database of the configuration and starts its servers. `close` stops both. */
export async function serveSandbox(config: SandboxConfig, onCall?: SandboxOptions['onCall']): Promise<ServedSandbox> {
  const world = openData(config);
  const sandbox = await startSandbox({ ...config, ...(onCall && { onCall }), world }, config.port, config.host).catch((error: unknown) => {
    world.close();
    throw error;
  });
  if (config.adminPort === null) return { ...sandbox, adminUrl: null };
  try {
    const admin = await startAdmin(sandbox, config.adminPort);
    const close = async () => {
      await Promise.all([admin.close(), sandbox.close()]);
    };
    return { ...sandbox, adminUrl: admin.url, close };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

/** The demo keys of both workspaces. */
export const DEMO_KEY_LIST: readonly DemoKey[] = [...DEMO_KEYS, ...NEIGHBOUR_KEYS];

/** Describes the sandbox's URLs and keys for the console. The keys only give access to fictional data on this machine, so they can be printed. */
export function describeSandbox({ url, adminUrl }: Pick<ServedSandbox, 'url' | 'adminUrl'>, { data, seed }: SandboxConfig): string {
  const width = Math.max(...DEMO_KEY_LIST.map(({ key }) => key.length));
  const keys = DEMO_KEY_LIST.map(({ key, purpose }) => `    ${key.padEnd(width)}  ${purpose}`);
  const admin =
    adminUrl === null
      ? []
      : [
          `Admin API: ${adminUrl}/faults injects faults, /outbox lists sent messages, and /customer-views lists and updates Customer Views.`,
        ];
  return [`Sandbox on ${url} (data: ${data}, seed: ${seed}).`, ...admin, 'Demo keys:', ...keys].join('\n');
}
