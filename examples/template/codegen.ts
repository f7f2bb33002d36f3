import type { CodegenConfig } from '@graphql-codegen/cli';
import { preset, schema } from '@workspace-graph/client/codegen';

export default {
  schema,
  documents: 'src/**/*.{ts,tsx}',
  generates: { 'src/gql/': { preset, config: { importExtension: '.ts' } } },
} satisfies CodegenConfig;
