import { createHash } from 'node:crypto';
import type { PathUse, Step, StepResult } from './engine.ts';

/** Maximum length of a line that contains a whole list or object, in characters. */
const WIDTH = 200;

/** Maximum length of a body that is recorded completely, in characters. */
const MAX_BODY = 12_000;

/** Headers that are recorded if present. The others are only compared between the engines. */
const HEADERS = ['content-type', 'allow', 'retry-after', 'location', 'vary'];

/** Compact JSON: a list or an object is on one line if it fits. */
function printJson(value: unknown, indent = ''): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + short.length <= WIDTH) return short;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((member) => printJson(member, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${printJson(member, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}

function printBody({ body }: StepResult): string {
  // Git would convert the line endings.
  const text = body.replaceAll('\r', '\\r');
  if (text.length > MAX_BODY)
    return `${text.slice(0, WIDTH)}… (${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')})`;
  try {
    const value: unknown = JSON.parse(text);
    // Text that JSON.stringify would format differently is recorded unchanged.
    return JSON.stringify(value) === text ? printJson(value) : text;
  } catch {
    return text;
  }
}

/** Formats a step as it is recorded. */
export function printStep(step: Step, seen: StepResult, { isFast, isCompiled }: PathUse): string {
  const by = [isFast && 'fast path', isCompiled && 'compiled'].filter(Boolean).join(', ');
  const headers = HEADERS.filter((name) => name in seen.headers).map((name) => `${name}: ${seen.headers[name]}`);
  return [
    `# ${step.title}${by && ` (${by})`}`,
    [seen.status, ...headers].join(' | '),
    printBody(seen),
    ...seen.waves.flatMap((calls) => calls.map((call, index) => `${index === 0 ? '->' : '  '} ${call}`)),
  ].join('\n');
}
