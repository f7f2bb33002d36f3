import { readFileSync } from 'node:fs';

/** An HTTP status of the upstream's responses. */
interface Status {
  readonly status: number;
  readonly isStated: boolean;
  /** The error codes in the body of such a response. */
  readonly codes: readonly string[];
}

/** Every HTTP status of the upstream's responses, from proto/statuses.txt: one per line, with its provenance and error codes. */
export const readStatuses = (): Status[] =>
  readFileSync(new URL('../../proto/statuses.txt', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [status, provenance, ...codes] = line.split(/\s+/);
      if (provenance !== 'stated' && provenance !== 'assumed')
        throw new Error(`The provenance of status ${status} in proto/statuses.txt must be \`stated\` or \`assumed\`.`);
      return { status: Number(status), isStated: provenance === 'stated', codes };
    });
