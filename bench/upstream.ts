import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Load } from './loads.ts';
import { fetchCounts } from './measure.ts';
import { createTemporaryFolder, run, type ServerProcess, startServer } from './processes.ts';

/** A running stub, and how servers connect to it. */
export interface Upstream {
  /** The process that counts calls. */
  readonly stub: ServerProcess;
  /** Environment variables of a server that uses it. */
  readonly env: Readonly<Record<string, string>>;
}

/** The stub's settings for a load. Loads with equal settings share an upstream. */
export const serializeSettings = ({ latencyMs, isSandbox, isTls }: Load) => JSON.stringify({ latencyMs, isSandbox, isTls });

/** A key and a self-signed certificate for loopback, which are deleted at the end. */
async function createCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = createTemporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await run('load', ['openssl', 'req', ...kind, ...subject, '-keyout', key, '-out', cert]);
  return { key, cert };
}

/** Starts a stub for a load. */
export async function startUpstream({ latencyMs, isSandbox, isTls }: Load): Promise<Upstream> {
  const tls = isTls ? await createCertificate() : null;
  const stub = await startServer(
    'upstream',
    [process.execPath, fileURLToPath(new URL('stub.ts', import.meta.url))],
    { LATENCY_MS: String(latencyMs), ...(isSandbox && { STUB: 'off' }), ...(tls && { TLS_KEY: tls.key, TLS_CERT: tls.cert }) },
    async (url) => (await fetch(`${url}/counts`)).ok,
  );
  if (!tls) return { stub, env: { UPSTREAM_URL: stub.url } };
  const { tlsPort } = await fetchCounts(stub);
  return { stub, env: { UPSTREAM_URL: `https://127.0.0.1:${tlsPort}`, NODE_EXTRA_CA_CERTS: tls.cert } };
}
