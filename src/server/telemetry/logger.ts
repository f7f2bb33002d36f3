import { type DestinationStream, type Logger, pino } from 'pino';
import { currentRequest, traceIdOf } from '../execution/currentRequest.ts';
import type { LogLevel } from '../settings/settings.ts';
import { LogOutput } from './logOutput.ts';

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
/** A member, or a pair in a list of headers, whose value is a secret. */
const SECRET_VALUE = new RegExp(`("(?:proxy-)?(?:authorization|x-api-key|apikey|cookie|set-cookie|password)"[:,]\\[?)${STRING}`, 'gi');
const ANY_STRING = new RegExp(STRING, 'g');
const BEARER = /\bBearer\s+[^\s"\\,]+/gi;
/** The user and the password of an address. */
const CREDENTIALS = /:\/\/[^\s/"@]+@/g;

/** The caller's key, wherever it stands in a text of the line. Not elsewhere: a key may look like a number. */
function withoutKey(line: string, key: string): string {
  const written = JSON.stringify(key).slice(1, -1);
  return line.includes(written) ? line.replace(ANY_STRING, (text) => text.replaceAll(written, '[key]')) : line;
}

/** A line of the log, as JSON, without secrets. */
function redacted(line: string): string {
  const plain = line.replace(SECRET_VALUE, '$1"[redacted]"').replace(BEARER, 'Bearer [redacted]').replace(CREDENTIALS, '://[redacted]@');
  const key = currentRequest.getStore()?.apiKey;
  return key ? withoutKey(plain, key) : plain;
}

/** Fields by which the lines of a request are found from a trace; named as OpenTelemetry names them in JSON. */
function traceOfLine(): object {
  const current = currentRequest.getStore();
  if (current?.span) return { trace_id: current.span.traceId, span_id: current.span.spanId };
  const traceparent = current?.traceparent;
  return traceparent ? { trace_id: traceIdOf(traceparent) } : {};
}

/** Makes the log, of lines of JSON. Secrets are taken out of each finished line, so that no caller of the log can forget to. */
export const createLogger = (level: LogLevel, destination: DestinationStream = new LogOutput()): Logger =>
  pino({ level, mixin: traceOfLine, hooks: { streamWrite: redacted } }, destination);
