import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

/** Creates a self-signed certificate for 127.0.0.1 and other names. Returns the paths of its files. */
export function createCertificate(names: readonly string[] = []): { readonly keyFile: string; readonly certificateFile: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [keyFile, certificateFile] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const alternatives = ['IP:127.0.0.1', ...names.map((name) => `DNS:${name}`)].join();
  const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1', '-subj', '/CN=test'];
  const args = ['req', ...options, '-addext', `subjectAltName=${alternatives}`, '-keyout', keyFile, '-out', certificateFile];
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return { keyFile, certificateFile };
}
