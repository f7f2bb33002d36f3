import { createHash } from 'node:crypto';
import type { Seen, Step, Use } from './engine.ts';

/** The longest line that a list or an object is written on, in characters. */
const WIDTH = 200;

/** The longest body that is recorded whole, in characters. */
const MAX_BODY = 12_000;

/** Headers that are recorded where they are told. The others are compared between the engines only. */
const HEADERS = ['content-type', 'allow', 'retry-after', 'location', 'vary'];

/** JSON in few lines: a list or an object has one line if it fits. */
function pretty(value: unknown, indent = ''): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + short.length <= WIDTH) return short;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((member) => pretty(member, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pretty(member, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}

function bodyOf({ body }: Seen): string {
  // Git would change the ends of lines.
  const text = body.replaceAll('\r', '\\r');
  if (text.length > MAX_BODY)
    return `${text.slice(0, WIDTH)}… (${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')})`;
  try {
    const value: unknown = JSON.parse(text);
    // What JSON.stringify would write in another way is shown as it is.
    return JSON.stringify(value) === text ? pretty(value) : text;
  } catch {
    return text;
  }
}

/** A step as it is recorded. */
export function shown(step: Step, seen: Seen, { isFast, isCompiled }: Use): string {
  const by = [isFast && 'fast path', isCompiled && 'compiled'].filter(Boolean).join(', ');
  const headers = HEADERS.filter((name) => name in seen.headers).map((name) => `${name}: ${seen.headers[name]}`);
  return [
    `# ${step.title}${by && ` (${by})`}`,
    [seen.status, ...headers].join(' | '),
    bodyOf(seen),
    ...seen.waves.flatMap((calls) => calls.map((call, index) => `${index === 0 ? '->' : '  '} ${call}`)),
  ].join('\n');
}
