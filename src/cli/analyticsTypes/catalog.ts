/** A field of the catalog, with the operators, aggregations and buckets that it supports. */
export interface CatalogField {
  readonly name: string;
  readonly description: string | null;
  readonly valueType: string;
  readonly operators: readonly string[];
  readonly aggregations: readonly string[];
  readonly buckets: readonly string[];
  readonly supportsCurrentMember: boolean | null;
  readonly currencyField: string | null;
  readonly words: readonly string[] | null;
  readonly isNullable: boolean | null;
}

interface CatalogEntity {
  readonly entity: string;
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly CatalogField[];
  readonly relationships: readonly { readonly name: string; readonly entity: string; readonly description: string | null }[];
}

/** The analytics catalog, in the shape that `CATALOG_QUERY` returns. */
export interface Catalog {
  readonly entities: readonly CatalogEntity[];
}

export const CATALOG_QUERY = `query AnalyticsTypes {
  analyticsCatalog {
    entities {
      entity
      name
      description
      fields {
        name
        description
        valueType
        operators
        aggregations
        buckets
        supportsCurrentMember
        currencyField
        words
        isNullable
      }
      relationships {
        name
        description
        entity
      }
    }
  }
}`;

interface CatalogResponse {
  readonly data?: { readonly analyticsCatalog?: Catalog | null } | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** Extracts the catalog from the graph's response. Throws with the messages of its errors, or if it isn't such a response. */
export function parseCatalog(text: string, source: string): Catalog {
  const { data, errors = [] } = read(text, source);
  if (data?.analyticsCatalog && errors.length === 0) return data.analyticsCatalog;
  const reasons =
    errors.map(({ message }) => message).join(' ') ||
    'data.analyticsCatalog is missing. Save the response to the query of src/cli/analyticsTypes/catalog.ts.';
  throw new Error(`Can’t read the catalog from ${source}: ${reasons}`);
}

function read(text: string, source: string): CatalogResponse {
  try {
    return JSON.parse(text) as CatalogResponse;
  } catch (cause) {
    throw new Error(
      `${source} isn’t JSON: ${JSON.stringify(text.slice(0, 40))}. Expected the graph’s response to a query for its catalog.`,
      { cause },
    );
  }
}

/** Fetches the catalog that an API key can see. */
export async function fetchCatalog(url: string, apiKey: string): Promise<Catalog> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: CATALOG_QUERY }),
  }).catch((cause: unknown) => {
    throw new Error(`Can’t reach ${url}. Check that the graph is running there.`, { cause });
  });
  return parseCatalog(await response.text(), url);
}
