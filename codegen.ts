import type { CodegenConfig } from '@graphql-codegen/cli';
import { createAssumedPage } from './scripts/assumed.ts';
import { findCacheTypes } from './scripts/cacheTypes.ts';
import { createConfigurationPage } from './scripts/configuration.ts';
import { findConnectionFields } from './scripts/connections.ts';
import { findFailureTypes } from './scripts/failureTypes.ts';
import { createGraph } from './src/graph.ts';
import { printClientSchema } from './src/subgraph/print.ts';

const { schema, sdl } = createGraph();
const clientSchema = printClientSchema(schema);
const { possibleTypes, payloadTypes, valueTypes } = findCacheTypes(schema);

const HEADER = 'Generated from src/ by `npm run codegen`. Do not edit.';

/** TypeScript types of the scalars. Numbers are strings, to preserve every digit. */
const scalars = {
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
};

/** For clients that throw if a response has errors: fields that are null only with an error have non-null types. Implemented by graphql-sock. */
const THROWING = { nullability: { errorHandlingClient: true } };

/** The client preset, which types the documents in an example's files through `graphql()`. */
const createClientConfig = (folder: string, more: object = {}) => ({
  documents: ['examples/failure.graphql', `${folder}/**/*.{ts,tsx}`, `!${folder}/gql/**`, `!${folder}/node_modules/**`],
  preset: 'client' as const,
  presetConfig: { fragmentMasking: false },
  config: { useTypeImports: true, enumsAsTypes: true, importExtension: '.ts' as const, scalars, ...more },
});

/** A module with one constant, whose type is literal. */
const createConstant = (name: string, value: object) => ({
  plugins: [{ add: { content: `// ${HEADER}\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n` } }],
});

const config: CodegenConfig = {
  schema: clientSchema,
  generates: {
    'schema.graphql': { plugins: [{ add: { content: `# ${HEADER}\n\n${clientSchema}` } }] },
    'subgraph.graphql': { plugins: [{ add: { content: `# ${HEADER}\n\n${sdl}` } }] },
    'docs/assumed.md': { plugins: [{ add: { content: `<!-- ${HEADER} -->\n\n${createAssumedPage(schema)}` } }] },
    'docs/configuration.md': { plugins: [{ add: { content: `<!-- ${HEADER} -->\n\n${createConfigurationPage()}` } }] },
    'examples/possibleTypes.gen.ts': {
      plugins: [{ add: { content: `// ${HEADER}` } }, 'fragment-matcher'],
      config: { apolloClientVersion: 3, useExplicitTyping: false },
    },
    'examples/connections.gen.ts': {
      plugins: [{ add: { content: `// ${HEADER}\nexport default ${JSON.stringify(findConnectionFields(schema), null, 2)};\n` } }],
    },
    'client/src/generated/failureTypes.gen.ts': createConstant('FAILURE_TYPES', findFailureTypes(schema)),
    'client/src/generated/payloadTypes.gen.ts': createConstant('PAYLOAD_TYPES', payloadTypes),
    'client/src/generated/possibleTypes.gen.ts': createConstant('POSSIBLE_TYPES', possibleTypes),
    'client/src/generated/valueTypes.gen.ts': createConstant('VALUE_TYPES', valueTypes),
    'client/src/generated/connections.gen.ts': createConstant('CONNECTIONS', findConnectionFields(schema)),
    'examples/client/gql/': createClientConfig('examples/client', THROWING),
    'examples/web/gql/': createClientConfig('examples/web'),
  },
};

export default config;
