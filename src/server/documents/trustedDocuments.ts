import { isJsonObject, parseJson } from '../../lib/json.ts';

/** `only`: nothing else is executed. `also`: trusted documents can be requested by ID, and others as usual. */
export const TRUST_MODES = ['only', 'also'] as const;
export type TrustMode = (typeof TRUST_MODES)[number];

/** Documents by ID. */
export type TrustedDocuments = ReadonlyMap<string, string>;

type DocumentsReading = { readonly documents: TrustedDocuments } | { readonly problem: string };

const SHAPE = 'must be the path of a JSON file that maps IDs to documents, but';

/**
 * Reads the text of a file of trusted documents: a JSON object of documents by ID, as relay-compiler and the client preset of GraphQL Code Generator write it. A problem is worded to follow the name of the setting. Documents that don't match the schema are only rejected when they are requested, because an outdated
 * client must not prevent the graph from starting.
 */
export function readTrustedDocuments(text: string): DocumentsReading {
  const json = parseJson(text);
  const documents = isJsonObject(json) ? Object.entries(json) : [];
  const wrong = documents.find(([, document]) => typeof document !== 'string');
  if (wrong) return { problem: `${SHAPE} the value of ${wrong[0]} isn’t a string.` };
  if (documents.length === 0) return { problem: `${SHAPE} the file contains none.` };
  return { documents: new Map(documents as [string, string][]) };
}
