import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { killAll, startGraph } from '../../support/faults/process.ts';
import { postQuery } from '../../support/testGraph.ts';

/** How long the SDK waits for a collector. Longer than the test. */
const COLLECTOR_TIMEOUT_MS = 600_000;

let sandbox: TestSandbox;
/** Accepts connections, and never responds. */
let hanging: Server;

beforeAll(async () => {
  sandbox = await openSandbox();
  hanging = createServer().listen(0, '127.0.0.1');
  await once(hanging, 'listening');
});

afterAll(async () => {
  await killAll();
  hanging.close();
  await sandbox.close();
});

it.each([
  ['refuses connections', () => 'http://127.0.0.1:9'],
  ['never responds', () => `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`],
])('exits on SIGTERM while the collector %s', async (_name, getEndpoint) => {
  const graph = await startGraph(
    {
      UPSTREAM_URL: sandbox.url,
      LEDGER_URL: `file:${join(mkdtempSync(join(tmpdir(), 'collector-')), 'ledger.sqlite')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: getEndpoint(),
      OTEL_EXPORTER_OTLP_TIMEOUT: String(COLLECTOR_TIMEOUT_MS),
      OTEL_BSP_EXPORT_TIMEOUT: String(COLLECTOR_TIMEOUT_MS),
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
    },
    ['--import', './deploy/telemetry/start.mjs'],
  );
  for (let request = 0; request < 3; request += 1)
    expect((await postQuery(graph.url, 'demo-owner', '{ contacts(first: 1) { nodes { rawId } } }')).errors).toBeUndefined();
  // The SDK would keep the process running for at least half a minute.
  expect(await Promise.race([graph.terminate(), wait(20_000, 'still running')])).toBe(0);
});
