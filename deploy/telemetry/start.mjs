// Starts the OpenTelemetry SDK before the graph: `node --import ./start.mjs …`, beside an installed @opentelemetry/sdk-node. All its settings are the usual
// OTEL_* variables (docs/telemetry.md).
import { isMainThread } from 'node:worker_threads';

// Node loads this into the thread of the ledger, too, which has no spans.
if (isMainThread) {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK();
  sdk.start();
  // The graph has closed, and nothing else is left to do: spans that wait for their batch are sent.
  process.once('beforeExit', () => sdk.shutdown());
}
