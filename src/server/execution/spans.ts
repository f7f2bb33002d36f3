// Spans by the semantic conventions of OpenTelemetry 1.45: https://github.com/open-telemetry/semantic-conventions/tree/v1.45.0. HTTP and `rpc.method` are stable
// there, GraphQL is in development. Attributes hold neither keys, ids, variables, texts of documents nor bodies: paths that are none of ours are left out, too.

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

/** Attributes of ours, which no convention has. */
const OWN = 'workspace_graph';

/** The tracer of the SDK that was registered; undefined where there is none. */
export function registeredTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  const options = { schemaUrl: SCHEMA_URL };
  // The provider of another copy of the API is there only where that copy has registered one.
  if (!(provider instanceof ProxyTracerProvider)) return provider.getTracer('workspace-graph', undefined, options);
  return provider.getDelegateTracer('workspace-graph', undefined, options) as Tracer | undefined;
}

/** The paths that are served, health aside. Any other may hold what a caller mistook for an address. */
const ROUTES = new Set(['/', '/graphql', '/mcp']);

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The longest name of an operation that is exported, in characters. Ours: callers choose them. */
const MAX_NAME = 100;

/** Balancers ask for health every few seconds: their requests are not traced. */
const isHealth = (path: string) => path.startsWith('/health/');

/** Ends a span that failed. The class of the failure is its attribute; there is no message, which may hold what a caller sent. */
function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Makes spans, by the tracer that was registered. */
export class Spans {
  readonly tracer: Tracer;
  /** Attributes of each call. */
  readonly upstream: Attributes;
  readonly #names = new WeakMap<AnyOperation, string>();

  constructor(tracer: Tracer, upstreamUrl: string) {
    const { hostname, port, protocol } = new URL(upstreamUrl);
    this.tracer = tracer;
    this.upstream = {
      // None of the systems that the conventions name.
      'rpc.system.name': 'http_json',
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    };
  }

  /** Begins the span of an HTTP request, in the trace of its caller. Null for requests that are not traced. */
  request({ method = '', url = '/', headers, httpVersion }: IncomingMessage): RequestSpan | null {
    const [path = '/'] = url.split('?');
    if (isHealth(path)) return null;
    // A caller's baggage is not the upstream's business, which is another company.
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

  /** Full name of an operation, as the conventions have it: package, service, and method. */
  nameOf(operation: AnyOperation): string {
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

  /** The trace, for a session of the request. */
  session(): SessionTrace {
    return this.#span.isRecording() ? new SessionSpans(this.#spans, this.#context) : new Unsampled(headersOf(this.#context));
  }

  /** The answer has ended. `status` is null where the caller left before its head. */
  end(status: number | null): void {
    if (status !== null) this.#span.setAttribute('http.response.status_code', status);
    if (status === null) this.#span.setAttribute('error.type', 'client_disconnected');
    else if (status >= 500) fail(this.#span, String(status));
    this.#span.end();
  }
}

function headersOf(context: Context): TraceHeaders {
  const headers: Record<string, string> = {};
  propagation.inject(context, headers);
  return headers;
}

/** Trace that is not sampled: it is passed on, and what belongs to it is recorded no more than its beginning was. */
class Unsampled implements SessionTrace, CallTrace, OperationTrace {
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

  startOperation(type: string, name: string | undefined, documentId: string | null): OperationTrace {
    const attributes: Attributes = {
      'graphql.operation.type': type,
      ...(name !== undefined && { 'graphql.operation.name': name.slice(0, MAX_NAME) }),
      ...(documentId !== null && { [`${OWN}.document.id`]: documentId }),
    };
    const span = this.#spans.tracer.startSpan(type, { kind: SpanKind.SERVER, attributes }, this.#parent);
    this.#parent = trace.setSpan(this.#parent, span);
    return {
      end: (outcome, savedCalls) => {
        span.setAttribute(`${OWN}.operation.outcome`, outcome);
        if (savedCalls !== 0) span.setAttribute(`${OWN}.operation.saved_calls`, savedCalls);
        if (outcome === 'failed') fail(span, outcome);
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
    return (answered) => {
      span.setAttribute(`${OWN}.list_batch.served_calls`, answered);
      span.end();
    };
  }
}

/** Class of the end of a sending; null for an answer that is no failure. */
function errorTypeOf(end: CallEnd): string | null {
  if (end === null) return 'canceled';
  if (typeof end === 'number') return end >= 400 ? String(end) : null;
  if (end.isTimeout) return 'timeout';
  return end.isSent ? 'lost' : 'unreachable';
}

/** Spans of a call: a client's for each attempt, or an inner one for a call that is not sent. */
class CallSpans implements CallTrace {
  readonly #spans: Spans;
  readonly #name: string;
  readonly #parent: Context;
  /** Beginning of the wait for the next attempt. */
  #waitsSince = performance.now();
  #attempts = 0;
  #span: Span | undefined;

  constructor(spans: Spans, operation: AnyOperation, parent: Context) {
    this.#spans = spans;
    this.#name = spans.nameOf(operation);
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
    return headersOf(trace.setSpan(this.#parent, this.#span));
  }

  end(end: CallEnd): void {
    const span = this.#span;
    if (!span) return;
    if (typeof end === 'number') span.setAttribute('http.response.status_code', end);
    const type = errorTypeOf(end);
    if (type !== null) fail(span, type);
    span.end();
    this.#waitsSince = performance.now();
  }

  onUnsent(reason: unknown): void {
    const attributes = { 'rpc.method': this.#name, [`${OWN}.call.sent`]: false };
    const span = this.#spans.tracer.startSpan(this.#name, { attributes, startTime: this.#waitsSince }, this.#parent);
    fail(span, reason instanceof ApiError ? reason.code : 'canceled');
    span.end();
  }

  join(underWay: CallTrace | null): () => void {
    const attributes = { 'rpc.method': this.#name, [`${OWN}.call.coalesced`]: true };
    const span = this.#spans.tracer.startSpan(this.#name, { attributes }, this.#parent);
    return () => {
      // Only now: the other one may have waited for its turn, too, and its last attempt is the one that counts.
      const other = underWay instanceof CallSpans ? underWay.#span : undefined;
      if (other) span.addLink({ context: other.spanContext() });
      span.end();
    };
  }
}
