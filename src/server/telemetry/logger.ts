import { type DestinationStream, type Logger, pino } from 'pino';
import { escapeLines } from '../../lib/printableText.ts';
import { currentRequest, getTraceId } from '../execution/currentRequest.ts';
import type { LogLevel } from '../settings/settings.ts';
import { LogOutput } from './logOutput.ts';

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
/** A JSON member, or a pair in a list of headers, whose value is secret. */
const SECRET_VALUE = new RegExp(`("(?:proxy-)?(?:authorization|x-api-key|apikey|cookie|set-cookie|password)"[:,]\\[?)${STRING}`, 'gi');
const ANY_STRING = new RegExp(STRING, 'g');
const BEARER = /\bBearer\s+[^\s"\\,]+/gi;
/** User name and password in a URL. */
const CREDENTIALS = /:\/\/[^\s/"@]+@/g;

/** Replaces a secret wherever it occurs in a string of the line. Not elsewhere, because a key can look like a number. */
function redactSecret(line: string, secret: string, replacement: string): string {
  const written = JSON.stringify(secret).slice(1, -1);
  return line.includes(written) ? line.replace(ANY_STRING, (text) => text.replaceAll(written, replacement)) : line;
}

/** A log line as JSON, without secrets, and with escapes for all characters that readers of lines or terminals interpret. */
function redact(line: string): string {
  const plain = line.replace(SECRET_VALUE, '$1"[redacted]"').replace(BEARER, 'Bearer [redacted]').replace(CREDENTIALS, '://[redacted]@');
  const { credential, token } = currentRequest.getStore() ?? {};
  const keyless = credential ? redactSecret(plain, credential.apiKey, '[key]') : plain;
  return escapeLines(token ? redactSecret(keyless, token, '[token]') : keyless);
}

/** Fields that relate the lines of a request to its trace. Named as OpenTelemetry names them in JSON. */
function getTraceFields(): object {
  const current = currentRequest.getStore();
  if (current?.span) return { trace_id: current.span.traceId, span_id: current.span.spanId };
  const traceparent = current?.traceparent;
  return traceparent ? { trace_id: getTraceId(traceparent) } : {};
}

/** Creates the logger, which writes JSON lines. Secrets are removed from each finished line, so that no call site can forget to. */
export const createLogger = (level: LogLevel, destination: DestinationStream = new LogOutput()): Logger =>
  pino({ level, mixin: getTraceFields, hooks: { streamWrite: redact } }, destination);
