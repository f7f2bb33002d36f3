import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts';

/** `only`: nothing else is executed. `also`: trusted documents can be requested by ID, and others as usual. */
export const TRUST_MODES = ['only', 'also'] as const;
export type TrustMode = (typeof TRUST_MODES)[number];

/** Documents by ID. */
export type TrustedDocuments = ReadonlyMap<string, string>;

type DocumentsReading = { readonly documents: TrustedDocuments } | { readonly problem: string };

const SHAPE = 'must be the path of a JSON file that maps IDs to documents, or of a manifest, but';

/** The manifest that Apollo's tools write. Source: https://www.apollographql.com/docs/graphos/platform/security/persisted-queries#manifest-format */
const MANIFEST = { format: 'apollo-persisted-query-manifest', version: 1 } as const;

/** Reads the operations of a manifest. */
function readManifest({ format, version, operations }: JsonObject): DocumentsReading {
  if (format !== MANIFEST.format || version !== MANIFEST.version || !Array.isArray(operations))
    return { problem: `${SHAPE} the manifest doesn’t have the format ${MANIFEST.format}, version ${MANIFEST.version}.` };
  const documents = new Map<string, string>();
  for (const [index, operation] of operations.entries()) {
    const { id, body } = isJsonObject(operation) ? operation : {};
    if (typeof id !== 'string' || typeof body !== 'string')
      return { problem: `${SHAPE} operations[${index}] of the manifest doesn’t have the strings id and body.` };
    if (documents.has(id) && documents.get(id) !== body) return { problem: `${SHAPE} the manifest has two documents with the ID ${id}.` };
    documents.set(id, body);
  }
  return { documents };
}

/** Reads a JSON object of documents by ID. */
function readMap(json: JsonObject): DocumentsReading {
  const documents = Object.entries(json);
  const wrong = documents.find(([, document]) => typeof document !== 'string');
  return wrong ? { problem: `${SHAPE} the value of ${wrong[0]} isn’t a string.` } : { documents: new Map(documents as [string, string][]) };
}

/**
 * Reads the text of a file of trusted documents: a JSON object of documents by ID, as relay-compiler and the client preset of GraphQL Code Generator write it, or
 * Apollo's manifest. A problem is worded to follow the name of the setting. Documents that don't match the schema are only rejected when they are requested,
 * because an outdated client must not prevent the graph from starting.
 */
export function readTrustedDocuments(text: string): DocumentsReading {
  const json = parseJson(text);
  const file = isJsonObject(json) ? json : {};
  const reading = typeof (file.operations ?? '') === 'string' ? readMap(file) : readManifest(file);
  if ('documents' in reading && reading.documents.size === 0) return { problem: `${SHAPE} the file contains none.` };
  return reading;
}
