// Starts the OpenTelemetry SDK before the graph: `node --import ./start.mjs …`. Its packages are those of the package.json
// next to it. Configure it with the standard OTEL_* variables (docs/telemetry.md).
import { isMainThread } from 'node:worker_threads';

// Node.js also loads this file in the ledger's worker thread, which creates no spans.
if (isMainThread) {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK();
  sdk.start();
  // Flush pending spans after the graph has closed. The graph exits 1.5 s after that, even if the collector doesn't respond.
  process.once('beforeExit', () => sdk.shutdown());
}
