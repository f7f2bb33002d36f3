import type { SandboxConfig } from '../../sandbox/kernel/config.ts';

/** The graph's ledger over a sandbox: one that outlived the sandbox's data would answer with records that are no more. */
export const sandboxLedger = ({ data }: SandboxConfig): { readonly LEDGER_URL?: string } =>
  data === ':memory:' ? { LEDGER_URL: 'file::memory:' } : {};
