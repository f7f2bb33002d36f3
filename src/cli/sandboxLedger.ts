import type { SandboxConfig } from '../../sandbox/kernel/config.ts';

/**
 * Ledger setting for a graph that uses a sandbox. If the sandbox's data is only in memory, the ledger is too: otherwise, it would replay responses with records
 * that no longer exist.
 */
export const getSandboxLedger = ({ data }: SandboxConfig): { readonly LEDGER_URL?: string } =>
  data === ':memory:' ? { LEDGER_URL: 'file::memory:' } : {};
