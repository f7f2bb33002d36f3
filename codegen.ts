import type { CodegenConfig } from '@graphql-codegen/cli';
import { assumedPage } from './scripts/assumed.ts';
import { configurationPage } from './scripts/configuration.ts';
import { connectionFields } from './scripts/connections.ts';
import { createGraph } from './src/graph.ts';
import { printClientSchema } from './src/subgraph/print.ts';

const { schema, sdl } = createGraph();
const clientSchema = printClientSchema(schema);

const HEADER = 'Generated from src/ by `npm run codegen`. Do not edit.';

/** How TypeScript sees our scalars: text that keeps every digit, and JSON of which nothing is known. */
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

/** For clients that throw when an answer has errors: what is null only together with an error is not null to them. Done by graphql-sock. */
const THROWING = { nullability: { errorHandlingClient: true } };

/** The client preset: documents in an example's own files become typed by `graphql()`. */
const typedClient = (folder: string, more: object = {}) => ({
  documents: ['examples/failure.graphql', `${folder}/**/*.{ts,tsx}`, `!${folder}/gql/**`, `!${folder}/node_modules/**`],
  preset: 'client' as const,
  presetConfig: { fragmentMasking: false },
  config: { useTypeImports: true, enumsAsTypes: true, importExtension: '.ts' as const, scalars, ...more },
});

const config: CodegenConfig = {
  schema: clientSchema,
  generates: {
    'schema.graphql': { plugins: [{ add: { content: `# ${HEADER}\n\n${clientSchema}` } }] },
    'subgraph.graphql': { plugins: [{ add: { content: `# ${HEADER}\n\n${sdl}` } }] },
    'docs/assumed.md': { plugins: [{ add: { content: `<!-- ${HEADER} -->\n\n${assumedPage(schema)}` } }] },
    'docs/configuration.md': { plugins: [{ add: { content: `<!-- ${HEADER} -->\n\n${configurationPage()}` } }] },
    'examples/possibleTypes.gen.ts': {
      plugins: [{ add: { content: `// ${HEADER}` } }, 'fragment-matcher'],
      config: { apolloClientVersion: 3, useExplicitTyping: false },
    },
    'examples/connections.gen.ts': {
      plugins: [{ add: { content: `// ${HEADER}\nexport default ${JSON.stringify(connectionFields(schema), null, 2)};\n` } }],
    },
    'examples/client/gql/': typedClient('examples/client', THROWING),
    'examples/web/gql/': typedClient('examples/web'),
    'examples/documents.gen.ts': {
      documents: ['examples/*.graphql'],
      plugins: [
        { add: { content: '// Generated from examples/*.graphql by `npm run codegen`. Do not edit.' } },
        'typescript-operations',
        'typed-document-node',
      ],
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        skipTypename: true,
        documentMode: 'documentNode',
        scalars,
        ...THROWING,
      },
    },
  },
};

export default config;
