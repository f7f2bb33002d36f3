// Starts the OpenTelemetry SDK before the graph: `node --import ./start.mjs …`, beside an installed @opentelemetry/sdk-node. All its settings are the usual
// OTEL_* variables (docs/telemetry.md).
import { NodeSDK } from '@opentelemetry/sdk-node';

const sdk = new NodeSDK();
sdk.start();
// The graph has closed, and nothing else is left to do: spans that wait for their batch are sent.
process.once('beforeExit', () => sdk.shutdown());
