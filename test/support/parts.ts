import type { GraphAnswer } from './world.ts';

/** A part of an incremental answer. */
export interface Part {
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used
  readonly data?: any;
  readonly errors?: GraphAnswer['errors'];
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used
  readonly incremental?: readonly { data?: any; items?: any; path: (string | number)[]; label?: string; errors?: GraphAnswer['errors'] }[];
  readonly hasNext?: boolean;
  readonly extensions?: { readonly cost?: object };
}

const DELIMITER = '\r\n---';

/** The parts of a multipart/mixed body with the boundary `-`, each as soon as all of it is there. Fails when the body ends without its last mark. */
export async function* partsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Part, void> {
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
