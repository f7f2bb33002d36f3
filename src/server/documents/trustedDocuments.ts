import { readFileSync } from 'node:fs';
import { StartError } from '../../lib/starting.ts';

/** `only`: nothing else is executed. `also`: they can be asked for by their id, and anything else as ever. */
export const TRUST_MODES = ['only', 'also'] as const;
export type TrustMode = (typeof TRUST_MODES)[number];

/** Documents by their ids. */
export type TrustedDocuments = ReadonlyMap<string, string>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads a file of trusted documents: a JSON object of documents by their ids, as relay-compiler and the client preset of GraphQL Code
 * Generator write it. A document that does not fit the graph is refused when it is asked for, so that an old client does not keep the graph from starting.
 */
export function readTrustedDocuments(file: string): TrustedDocuments {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(
      `TRUSTED_DOCUMENTS must be the path of a readable file, but reading it failed with ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
  const json = parse(text);
  const documents = typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.entries(json) : [];
  const wrong = documents.find(([, document]) => typeof document !== 'string');
  if (wrong)
    throw new StartError(
      `TRUSTED_DOCUMENTS must be the path of a JSON file that maps IDs to documents, but the value of ${wrong[0]} isn’t a string.`,
    );
  if (documents.length === 0)
    throw new StartError('TRUSTED_DOCUMENTS must be the path of a JSON file that maps IDs to documents, but the file contains none.');
  return new Map(documents);
}
