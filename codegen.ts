import { printSubgraphSchema } from '@apollo/subgraph';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { printSchema } from 'graphql';
import { graph } from './src/graph.ts';

const config: CodegenConfig = {
  schema: printSchema(graph),
  documents: ['examples/**/*.graphql'],
  generates: {
    'schema.graphql': {
      plugins: [{ add: { content: `# Generated from src/ by \`npm run codegen\`. Do not edit.\n\n${printSubgraphSchema(graph)}` } }],
    },
    'examples/documents.gen.ts': {
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
        scalars: {
          ID: 'string',
          CountryCode: 'string',
          CurrencyCode: 'string',
          DateTime: 'string',
          Decimal: 'string',
          HexColor: 'string',
          Int64: 'string',
          JSON: 'unknown',
          TimeZone: 'string',
          URL: 'string',
          Version: 'string',
        },
      },
    },
  },
};

export default config;
