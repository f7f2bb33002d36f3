import type { GraphResult } from './testGraph.ts';

/** A part of an incremental response. */
export interface Part {
  // biome-ignore lint/suspicious/noExplicitAny: tests compare responses
  readonly data?: any;
  readonly errors?: GraphResult['errors'];
  // biome-ignore lint/suspicious/noExplicitAny: tests compare responses
  readonly incremental?: readonly { data?: any; items?: any; path: (string | number)[]; label?: string; errors?: GraphResult['errors'] }[];
  readonly hasNext?: boolean;
  readonly extensions?: { readonly cost?: object };
}

const DELIMITER = '\r\n---';

/** Parses a multipart/mixed body with the boundary `-`. Yields each part when it's complete. Throws if the closing delimiter is missing. */
export async function* readParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Part, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf(DELIMITER); end >= 0; end = rest.indexOf(DELIMITER)) {
      const part = rest.slice(0, end);
      rest = rest.slice(end + DELIMITER.length);
      if (part !== '') yield JSON.parse(part.slice(part.indexOf('\r\n\r\n')));
    }
  }
  if (rest !== '--\r\n') throw new Error(`The body must end with its last mark, but ends with ${JSON.stringify(rest)}.`);
}
