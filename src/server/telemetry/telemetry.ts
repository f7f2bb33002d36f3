import type { Spans } from '../execution/spans.ts';

/** Global symbol under which all copies of version 1 of the OpenTelemetry API register their SDK, so that an SDK can bring its own copy. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/**
 * Creates the graph's spans if a tracer was registered before (by `--import`: see docs/telemetry.md). Otherwise returns undefined, without loading the API.
 * `upstreamUrl` is the upstream's base URL.
 */
export async function openTelemetry(upstreamUrl: string): Promise<Spans | undefined> {
  if (!Object.hasOwn(globalThis, REGISTERED)) return undefined;
  const { getRegisteredTracer: registeredTracer, Spans } = await import('../execution/spans.ts');
  const tracer = registeredTracer();
  return tracer && new Spans(tracer, upstreamUrl);
}
