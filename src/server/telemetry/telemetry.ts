import type { Spans } from '../execution/spans.ts';

/** Where copies of the OpenTelemetry API of version 1 keep what was registered: the same place for all, so that an SDK may bring a copy of its own. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/**
 * Spans of what the graph does, where a tracer was registered before (by `--import`: see docs/telemetry.md). Undefined where none was: then not even the API is
 * loaded. `upstreamUrl` is the upstream's base address.
 */
export async function openTelemetry(upstreamUrl: string): Promise<Spans | undefined> {
  if (!Object.hasOwn(globalThis, REGISTERED)) return undefined;
  const { registeredTracer, Spans } = await import('../execution/spans.ts');
  const tracer = registeredTracer();
  return tracer && new Spans(tracer, upstreamUrl);
}
