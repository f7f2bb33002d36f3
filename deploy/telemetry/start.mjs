// Starts the OpenTelemetry SDK before the graph: `node --import ./start.mjs …`. Requires @opentelemetry/sdk-node to be installed. Configure it with the standard
// OTEL_* variables (docs/telemetry.md).
import { isMainThread } from 'node:worker_threads';

// Node.js also loads this file in the ledger's worker thread, which creates no spans.
if (isMainThread) {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK();
  sdk.start();
  // Flush pending spans after the graph has closed.
  process.once('beforeExit', () => sdk.shutdown());
}
