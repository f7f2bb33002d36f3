import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ADVISORY = { id: 1, url: 'https://example.com/1', title: 'A stand-in', vulnerable_versions: '*' };

/** Runs `node scripts/check/audit.ts` against a registry with these advisories, or one without audits if null. */
async function audit(advisories: object | null) {
  const registry = createServer((request, response) => {
    const isAuditRequest = request.method === 'POST' && request.url?.endsWith('/advisories/bulk');
    const status = isAuditRequest && !advisories ? 405 : 200;
    const body = isAuditRequest ? (advisories ?? {}) : { name: decodeURIComponent(request.url?.slice(1) ?? ''), versions: {} };
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const cache = await mkdtemp(join(tmpdir(), 'audit-'));
  const env = { ...process.env, npm_config_registry: url, npm_config_cache: cache, npm_config_update_notifier: 'false' };
  const result = await new Promise<{ code: number; text: string }>((resolve) => {
    const child = execFile(process.execPath, ['scripts/check/audit.ts'], { env }, (_error, text) =>
      resolve({ code: child.exitCode ?? -1, text }),
    );
  });
  await new Promise((resolve) => registry.close(resolve));
  await rm(cache, { recursive: true });
  return result;
}

describe('audit of production dependencies', () => {
  it.each([['high'], ['critical']])('fails for a %s vulnerability', async (severity) => {
    const { code, text } = await audit({ pino: [{ ...ADVISORY, severity }] });
    expect([code, text]).toEqual([1, expect.stringContaining(`${severity}: pino `)]);
  });

  it.each([
    ['there are no advisories', {}],
    ['the severity is moderate', { pino: [{ ...ADVISORY, severity: 'moderate' }] }],
    ['only development dependencies are affected', { vitest: [{ ...ADVISORY, severity: 'critical' }] }],
  ])('passes if %s', async (_name, advisories) => {
    const { code, text } = await audit(advisories);
    expect([code, text]).toEqual([0, expect.stringContaining('No known high or critical vulnerabilities.')]);
  });

  it('passes with a note if the registry doesn’t provide an audit', async () => {
    const { code, text } = await audit(null);
    expect([code, text]).toEqual([0, expect.stringMatching(/^Skipped: the registry doesn’t provide an audit\. 405 .*\n$/)]);
  });
});
