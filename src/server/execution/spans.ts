// Spans by the semantic conventions of OpenTelemetry 1.45: https://github.com/open-telemetry/semantic-conventions/tree/v1.45.0. HTTP and `rpc.method` are
// stable there, GraphQL is in development. Attributes contain no keys, IDs, variables, document texts, or bodies. Paths that the server doesn't serve are
// omitted too.

import type { IncomingMessage } from 'node:http';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ApiError } from '../../failures/failures.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import type { CallEnd } from '../../upstream/traffic/breakers.ts';
import type { CallTrace, OperationTrace, SessionTrace, TraceHeaders } from '../../upstream/traffic/callTrace.ts';

const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.45.0';

/** Prefix of custom attributes, for which there is no convention. */
const OWN = 'workspace_graph';

/** The tracer of the registered SDK. Undefined if none is registered. */
export function getRegisteredTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  const options = { schemaUrl: SCHEMA_URL };
  // With several copies of the API, this is another copy's provider, which only exists if an SDK was registered.
  if (!(provider instanceof ProxyTracerProvider)) return provider.getTracer('workspace-graph', undefined, options);
  return provider.getDelegateTracer('workspace-graph', undefined, options) as Tracer | undefined;
}

/** Served paths, except health checks. Other paths may contain anything that a client has mistaken for a URL. */
const ROUTES = new Set(['/', '/graphql', '/mcp']);

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Maximum length of an exported operation name, in characters. Chosen: clients choose the names. */
const MAX_NAME = 100;

/** Load balancers request the health every few seconds, so these requests aren't traced. */
const isHealth = (path: string) => path.startsWith('/health/');

/** Marks a span as failed, with the class of the failure. Messages aren't exported, because they can contain client data. */
function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Creates spans with the registered tracer. */
export class Spans {
  readonly tracer: Tracer;
  /** Attributes of each call. */
  readonly upstream: Attributes;
  readonly #names = new WeakMap<AnyOperation, string>();

  constructor(tracer: Tracer, upstreamUrl: string) {
    const { hostname, port, protocol } = new URL(upstreamUrl);
    this.tracer = tracer;
    this.upstream = {
      // None of the RPC systems that the conventions define.
      'rpc.system.name': 'http_json',
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    };
  }

  /** Starts the span of an HTTP request, in the caller's trace. Null for requests that aren't traced. */
  startRequest({ method = '', url = '/', headers, httpVersion }: IncomingMessage): RequestSpan | null {
    const [path = '/'] = url.split('?');
    if (isHealth(path)) return null;
    // The caller's baggage isn't passed to the upstream, which belongs to another company.
    const parent = propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, headers, defaultTextMapGetter));
    const isRoute = ROUTES.has(path);
    const known = METHODS.has(method);
    const name = known ? method : 'HTTP';
    const attributes: Attributes = {
      'http.request.method': known ? method : '_OTHER',
      'url.scheme': 'http',
      'network.protocol.version': httpVersion,
      ...(isRoute && { 'http.route': path, 'url.path': path }),
    };
    const span = this.tracer.startSpan(isRoute ? `${name} ${path}` : name, { kind: SpanKind.SERVER, attributes }, parent);
    return new RequestSpan(this, span, trace.setSpan(parent, span));
  }

  /** Full name of an operation as in the conventions: package, service, and method. */
  getName(operation: AnyOperation): string {
    const known = this.#names.get(operation);
    if (known !== undefined) return known;
    const name = operation.path.slice(operation.path.lastIndexOf('/', operation.path.lastIndexOf('/') - 1) + 1);
    this.#names.set(operation, name);
    return name;
  }
}

/** Span of an HTTP request. */
export class RequestSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly #spans: Spans;
  readonly #span: Span;
  readonly #context: Context;

  constructor(spans: Spans, span: Span, context: Context) {
    this.#spans = spans;
    this.#span = span;
    this.#context = context;
    ({ traceId: this.traceId, spanId: this.spanId } = span.spanContext());
  }

  /** Creates the trace of the request's session. */
  createSessionTrace(): SessionTrace {
    return this.#span.isRecording() ? new SessionSpans(this.#spans, this.#context) : new UnsampledTrace(createTraceHeaders(this.#context));
  }

  /** Ends the span with the response. `status` is null if the client disconnected before the response head. */
  end(status: number | null): void {
    if (status !== null) this.#span.setAttribute('http.response.status_code', status);
    if (status === null) this.#span.setAttribute('error.type', 'client_disconnected');
    else if (status >= 500) markFailed(this.#span, String(status));
    this.#span.end();
  }
}

function createTraceHeaders(context: Context): TraceHeaders {
  const headers: Record<string, string> = {};
  propagation.inject(context, headers);
  return headers;
}

/** A trace that isn't sampled. It's propagated, but only the request's span is created. */
class UnsampledTrace implements SessionTrace, CallTrace, OperationTrace {
  readonly #headers: TraceHeaders;

  constructor(headers: TraceHeaders) {
    this.#headers = headers;
  }

  startOperation(): OperationTrace {
    return this;
  }

  createCallTrace(): CallTrace {
    return this;
  }

  begin(): TraceHeaders {
    return this.#headers;
  }

  end(): void {}

  onUnsent(): void {}

  join(): undefined {}

  startCoveredRead(): undefined {}
}

class SessionSpans implements SessionTrace {
  readonly #spans: Spans;
  #parent: Context;

  constructor(spans: Spans, parent: Context) {
    this.#spans = spans;
    this.#parent = parent;
  }

  startOperation(type: string, name: string | undefined, document: string): OperationTrace {
    const attributes: Attributes = {
      'graphql.operation.type': type,
      ...(name !== undefined && { 'graphql.operation.name': name.slice(0, MAX_NAME) }),
      [`${OWN}.document.id`]: document,
    };
    const span = this.#spans.tracer.startSpan(type, { kind: SpanKind.SERVER, attributes }, this.#parent);
    this.#parent = trace.setSpan(this.#parent, span);
    return {
      end: (outcome, savedCalls) => {
        span.setAttribute(`${OWN}.operation.outcome`, outcome);
        if (savedCalls !== 0) span.setAttribute(`${OWN}.operation.saved_calls`, savedCalls);
        if (outcome === 'failed') markFailed(span, outcome);
        span.end();
      },
    };
  }

  createCallTrace(operation: AnyOperation): CallTrace {
    return new CallSpans(this.#spans, operation, this.#parent);
  }

  startCoveredRead(list: string): (answered: number) => void {
    const attributes = { [`${OWN}.list_batch.list`]: list };
    const span = this.#spans.tracer.startSpan('list_batch', { attributes }, this.#parent);
    return (replaced) => {
      span.setAttribute(`${OWN}.list_batch.served_calls`, replaced);
      span.end();
    };
  }
}

/** Error class of an attempt. Null for a successful response. */
function getErrorType(end: CallEnd): string | null {
  if (end === null) return 'canceled';
  if (typeof end === 'number') return end >= 400 ? String(end) : null;
  if (end.isTimeout) return 'timeout';
  return end.isSent ? 'lost' : 'unreachable';
}

/** Spans of an upstream call: a client span for each attempt, or an internal one for a call that isn't sent. */
class CallSpans implements CallTrace {
  readonly #spans: Spans;
  readonly #name: string;
  readonly #parent: Context;
  /** When the wait for the next attempt started. */
  #waitsSince = performance.now();
  #attempts = 0;
  #span: Span | undefined;

  constructor(spans: Spans, operation: AnyOperation, parent: Context) {
    this.#spans = spans;
    this.#name = spans.getName(operation);
    this.#parent = parent;
  }

  begin(): TraceHeaders {
    const attributes: Attributes = {
      ...this.#spans.upstream,
      'rpc.method': this.#name,
      [`${OWN}.call.queue_ms`]: Math.round(performance.now() - this.#waitsSince),
      ...(this.#attempts > 0 && { 'http.request.resend_count': this.#attempts }),
    };
    this.#attempts += 1;
    this.#span = this.#spans.tracer.startSpan(this.#name, { kind: SpanKind.CLIENT, attributes }, this.#parent);
    return createTraceHeaders(trace.setSpan(this.#parent, this.#span));
  }

  end(end: CallEnd): void {
    const span = this.#span;
    if (!span) return;
    if (typeof end === 'number') span.setAttribute('http.response.status_code', end);
    const type = getErrorType(end);
    if (type !== null) markFailed(span, type);
    span.end();
    this.#waitsSince = performance.now();
  }

  onUnsent(reason: unknown): void {
    const attributes = { 'rpc.method': this.#name, [`${OWN}.call.sent`]: false };
    const span = this.#spans.tracer.startSpan(this.#name, { attributes, startTime: this.#waitsSince }, this.#parent);
    markFailed(span, reason instanceof ApiError ? reason.code : 'canceled');
    span.end();
  }

  join(underWay: CallTrace | null): () => void {
    const attributes = { 'rpc.method': this.#name, [`${OWN}.call.coalesced`]: true };
    const span = this.#spans.tracer.startSpan(this.#name, { attributes }, this.#parent);
    return () => {
      // Read at the end, because the other call may have been queued too, and only its last attempt counts.
      const other = underWay instanceof CallSpans ? underWay.#span : undefined;
      if (other) span.addLink({ context: other.spanContext() });
      span.end();
    };
  }
}
