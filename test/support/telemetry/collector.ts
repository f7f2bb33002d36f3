import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../../src/lib/startup.ts';

/**
 * Value of an attribute in OTLP's JSON encoding:
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/docs/specification.md#json-protobuf-encoding.
 */
interface AnyValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: AnyValue }[];
  readonly links?: readonly { readonly spanId: string; readonly traceId: string }[];
  readonly status: { readonly code?: number };
}

interface ExportedTraces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[] }[];
}

/** A span in the form that tests compare. */
export interface RecordedSpan {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** IDs of linked spans. */
  readonly links: readonly string[];
  readonly hasFailed: boolean;
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

function readValue({ stringValue, intValue, doubleValue, boolValue }: AnyValue): string | number | boolean {
  return stringValue ?? boolValue ?? doubleValue ?? Number(intValue);
}

const ERROR = 2;

const toRecordedSpan = (span: ExportedSpan): RecordedSpan => ({
  traceId: span.traceId,
  id: span.spanId,
  parentId: span.parentSpanId || null,
  name: span.name,
  kind: KINDS[span.kind] ?? String(span.kind),
  attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, readValue(value)])),
  links: (span.links ?? []).map(({ spanId }) => spanId),
  hasFailed: span.status.code === ERROR,
});

/** A span with its child spans, sorted by name, and attempts in order. Not sorted by start time, because the resolution of the SDK's clock is too low. */
export interface SpanTree extends Pick<RecordedSpan, 'name' | 'kind' | 'attributes' | 'hasFailed'> {
  readonly children: readonly SpanTree[];
}

/** Attributes that differ between runs. Tests check them separately. */
const VARYING = new Set(['workspace_graph.call.queue_ms', 'server.port']);

export function buildTree(root: RecordedSpan, spans: readonly RecordedSpan[]): SpanTree {
  const { name, kind, attributes, hasFailed, id } = root;
  const attempt = (span: RecordedSpan) => Number(span.attributes['http.request.resend_count'] ?? 0);
  const children = spans
    .filter(({ parentId }) => parentId === id)
    .toSorted((one, other) => one.name.localeCompare(other.name) || attempt(one) - attempt(other));
  const own = Object.fromEntries(Object.entries(attributes).filter(([key]) => !VARYING.has(key)));
  return { name, kind, attributes: own, hasFailed, children: children.map((child) => buildTree(child, spans)) };
}

/** A collector that receives spans as OTLP over HTTP in JSON. */
export interface Collector {
  readonly url: string;
  /** All exported requests. */
  readonly received: string[];
  /** The spans of a trace, once the spans of this many HTTP requests have ended. These end last. */
  spansOf(traceId: string, requests?: number): Promise<readonly RecordedSpan[]>;
  close(): void;
}

export async function openCollector(): Promise<Collector> {
  const received: string[] = [];
  const spans: RecordedSpan[] = [];
  let onSpans = Promise.withResolvers<void>();
  const receive = async (request: IncomingMessage) => {
    const body = await text(request);
    received.push(`${request.url}\n${JSON.stringify(request.headers)}\n${body}`);
    if (request.url !== '/v1/traces') return;
    const { resourceSpans } = JSON.parse(body) as ExportedTraces;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans.map(toRecordedSpan))));
    onSpans.resolve();
    onSpans = Promise.withResolvers();
  };
  const server = createServer(async (request, response) => {
    await receive(request);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const url = await listen(server, 0, '127.0.0.1', 'port 0');
  const isRequest = ({ kind, attributes }: RecordedSpan) => kind === 'SERVER' && 'http.request.method' in attributes;
  return {
    url,
    received,
    spansOf: async (traceId, requests = 1) => {
      const findSpans = () => spans.filter((span) => span.traceId === traceId);
      while (findSpans().filter(isRequest).length < requests) await onSpans.promise;
      return findSpans();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
