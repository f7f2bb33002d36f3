import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { type ServedSandbox, serveSandbox } from '../../../sandbox/serve.ts';
import { KeySet } from '../../../src/server/auth/keySet.ts';
import { createCertificate } from '../../support/certificate.ts';
import { createSigningKey } from '../../support/identityProvider.ts';
import { startProgram } from '../../support/program.ts';

// Names that only the proxy resolves.
const UPSTREAM = 'upstream.example';
const PROVIDER = 'login.example';

const { keyFile, certificateFile } = createCertificate([UPSTREAM, PROVIDER]);
let sandbox: ServedSandbox;
/** The upstream and the provider, behind TLS. */
let secure: Server;
let proxy: Server;
/** What the proxy was asked to connect to, with the credentials. */
const connections: string[] = [];
const tunnels = new Set<Socket>();
let isRefusing = false;

const getPort = (server: Server) => (server.address() as AddressInfo).port;
const listen = async (server: Server) => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
};

beforeAll(async () => {
  sandbox = await serveSandbox(readSandboxConfig({ SANDBOX_PORT: '0' }));
  const { publicJwk } = await createSigningKey('first');
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  secure = await listen(
    createTlsServer(tls, ({ method, url = '', headers }, response) => {
      const issuer = `https://${headers.host}`;
      if (url === '/.well-known/openid-configuration') return response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
      if (url === '/keys') return response.end(JSON.stringify({ keys: [publicJwk] }));
      // The sandbox rejects requests for hosts other than this machine.
      const relayed = request(`${sandbox.url}${url}`, { method, headers: { ...headers, host: '127.0.0.1' } }, (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers);
        upstream.pipe(response);
      });
      return response.req.pipe(relayed);
    }),
  );
  proxy = await listen(
    createServer().on('connect', ({ url, headers }, client: Socket) => {
      connections.push(`${url} ${headers['proxy-authorization'] ?? ''}`);
      if (isRefusing) return client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      tunnels.add(client);
      const target = connect(getPort(secure), '127.0.0.1', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
      client.pipe(target).pipe(client);
      for (const socket of [client, target]) socket.on('error', () => socket.destroy());
    }),
  );
});
afterAll(async () => {
  for (const tunnel of tunnels) tunnel.destroy();
  proxy.close();
  secure.close();
  await sandbox.close();
});

it('sends the calls to the upstream and to the sign-in provider through HTTPS_PROXY, and no write that it refuses to connect', async () => {
  const { child, url } = await startProgram(
    ['src/main.ts'],
    {
      UPSTREAM_URL: `https://${UPSTREAM}`,
      HTTPS_PROXY: `http://user:secret@127.0.0.1:${getPort(proxy)}`,
      // Not for this process, which other programs use.
      NODE_EXTRA_CA_CERTS: certificateFile,
      LEDGER_URL: 'file::memory:',
      AUTH_ISSUER: `https://${PROVIDER}`,
      AUTH_AUDIENCE: 'https://graph.example/graphql',
      AUTH_KEYS: 'env:ASSIGNMENTS',
      ASSIGNMENTS: '{}',
      AUTH_API_KEYS: 'true',
    },
    /"url":"(\S+?)\/graphql"/,
  );
  const execute = async (query: string) => {
    const headers = { 'x-api-key': 'demo-owner', 'content-type': 'application/json' };
    return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).json();
  };
  expect((await execute('{ viewer { workspace { name } } }')).data).toEqual({ viewer: { workspace: { name: 'Demo Works' } } });
  const credentials = `Basic ${Buffer.from('user:secret').toString('base64')}`;
  expect(new Set(connections)).toEqual(new Set([`${PROVIDER}:443 ${credentials}`, `${UPSTREAM}:443 ${credentials}`]));
  isRefusing = true;
  for (const tunnel of tunnels) tunnel.destroy();
  const { errors } = await execute('mutation { contactCreate(input: { lastName: "Refused", idempotencyKey: "refused" }) { __typename } }');
  isRefusing = false;
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('connects to hosts in NO_PROXY directly', async () => {
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, readFileSync(certificateFile, 'utf8')]);
  onTestFinished(() => setDefaultCACertificates(usual));
  const before = connections.length;
  const url = `http://127.0.0.1:${getPort(proxy)}`;
  const issuer = `https://127.0.0.1:${getPort(secure)}`;
  const options = { issuer, onFailure: (error: unknown) => expect.unreachable(String(error)) };
  await new KeySet({ ...options, proxy: { url, except: 'other.example, 127.0.0.1' } }).getKeys();
  expect(connections).toHaveLength(before);
  await new KeySet({ ...options, proxy: { url, except: 'other.example' } }).getKeys();
  expect(connections.length).toBeGreaterThan(before);
});
