import { readFileSync } from 'node:fs';
import { type ClientPresetConfig, preset as clientPreset } from '@graphql-codegen/client-preset';

/** TypeScript types of the schema’s scalars. Numbers are strings, to preserve every digit. */
export const scalars = {
  ID: 'string',
  CountryCode: 'string',
  CurrencyCode: 'string',
  Date: 'string',
  DateTime: 'string',
  Decimal: 'string',
  HexColor: 'string',
  Int64: 'string',
  JSON: 'unknown',
  TimeZone: 'string',
  URL: 'string',
  Version: 'string',
} as const;

// Texts instead of paths, because GraphQL Code Generator reads a path with characters such as parentheses as a glob.

/** The package’s schema as SDL, in which `idempotencyKey` is optional, because the client library adds it. */
export const schema: string = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

/** The fragment `Failure`, which selects what the client library reads from a failed mutation. */
const FAILURE = readFileSync(new URL('../../failure.graphql', import.meta.url), 'utf8');

type Documents = Parameters<typeof clientPreset.buildGeneratesSection>[0]['documents'];

/** The documents without the package’s `Failure` if the application has its own, because names of fragments are unique. */
function removeReplacedFailure(documents: Documents): Documents {
  const isProvided = ({ document }: Documents[number]) => document?.definitions[0]?.loc?.source.body === FAILURE;
  const hasOwn = documents.some(
    (file) =>
      !isProvided(file) && file.document?.definitions.some((definition) => 'name' in definition && definition.name?.value === 'Failure'),
  );
  return documents.filter((file) => !(hasOwn && isProvided(file)));
}

/** Options of the preset, in addition to those of the client preset. */
export interface WorkspacePresetConfig extends ClientPresetConfig {
  /**
   * Types of fields that are only null if the response has an error for them.
   * - `partial`: nullable, for clients that return the data of a response with errors.
   * - `throws`: non-null, for clients that throw if a response has errors. Requires the package `graphql-sock`.
   *
   * Default: `partial`.
   */
  readonly nullability?: 'partial' | 'throws';
}

/** Options of the client preset that suit this schema. An output’s `config` can override them. */
const CONFIG = { scalars, strictScalars: true, enumType: 'string-literal', useTypeImports: true } as const;

/**
 * A preset for GraphQL Code Generator: the client preset with the scalars of this schema, enums as unions of strings, fragments without masking, and the fragment
 * `Failure`, which documents can spread without a definition. A `Failure` of your own replaces it.
 */
export const preset: typeof clientPreset = {
  prepareDocuments: async (outputPath, documents) => (await clientPreset.prepareDocuments?.(outputPath, [...documents, FAILURE])) ?? [],
  buildGeneratesSection: (options) => {
    const { nullability = 'partial', ...presetConfig }: WorkspacePresetConfig = options.presetConfig;
    const config = nullability === 'throws' ? { ...CONFIG, nullability: { errorHandlingClient: true } } : CONFIG;
    return clientPreset.buildGeneratesSection({
      ...options,
      documents: removeReplacedFailure(options.documents),
      presetConfig: { fragmentMasking: false, ...presetConfig },
      config: { ...config, ...options.config },
    });
  },
};
