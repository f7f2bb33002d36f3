import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Load } from './loads.ts';
import { countsOf } from './measure.ts';
import { run, type Served, serve, temporaryFolder } from './processes.ts';

/** A stand-in that runs, and how servers reach it. */
export interface Upstream {
  /** Where its calls are counted. */
  readonly standIn: Served;
  /** The environment of a server that calls it. */
  readonly env: Readonly<Record<string, string>>;
}

/** The settings of the stand-in that a load wants: loads with equal ones share an upstream. */
export const settingsOf = ({ latencyMs, isSandbox, isTls }: Load) => JSON.stringify({ latencyMs, isSandbox, isTls });

/** A key and a certificate for this machine's loopback, which trusts nothing but itself and is gone at the end. */
async function certificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await run('load', ['openssl', 'req', ...kind, ...subject, '-keyout', key, '-out', cert]);
  return { key, cert };
}

/** Starts a stand-in for a load. */
export async function startUpstream({ latencyMs, isSandbox, isTls }: Load): Promise<Upstream> {
  const tls = isTls ? await certificate() : null;
  const standIn = await serve(
    'upstream',
    [process.execPath, fileURLToPath(new URL('standIn.ts', import.meta.url))],
    { LATENCY_MS: String(latencyMs), ...(isSandbox && { STAND_IN: 'off' }), ...(tls && { TLS_KEY: tls.key, TLS_CERT: tls.cert }) },
    async (url) => (await fetch(`${url}/counts`)).ok,
  );
  if (!tls) return { standIn, env: { UPSTREAM_URL: standIn.url } };
  const { tlsPort } = await countsOf(standIn);
  return { standIn, env: { UPSTREAM_URL: `https://127.0.0.1:${tlsPort}`, NODE_EXTRA_CA_CERTS: tls.cert } };
}
