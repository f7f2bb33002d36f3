import type { CodegenConfig } from '@graphql-codegen/cli';
import { preset, schema } from '@workspace-graph/client/codegen';

const config: CodegenConfig = {
  schema,
  documents: '*.ts',
  generates: { 'gql/': { preset, config: { importExtension: '.ts' } } },
};

export default config;
