import type { CodegenConfig } from '@graphql-codegen/cli';
import { preset, type WorkspacePresetConfig } from './client/src/codegen/index.ts';
import { createAssumedPage } from './scripts/codegen/assumed.ts';
import { findCacheTypes } from './scripts/codegen/cacheTypes.ts';
import { createConfigurationPage } from './scripts/codegen/configuration.ts';
import { findConnectionFields } from './scripts/codegen/connections.ts';
import { listExportRoots } from './scripts/codegen/exportRoots.ts';
import { findFailureTypes } from './scripts/codegen/failureTypes.ts';
import { listInputRules } from './scripts/codegen/inputRules.ts';
import { createSchemaWithOptionalKeys } from './scripts/codegen/optionalKeys.ts';
import { createGraph } from './src/graph.ts';
import { printClientSchema } from './src/subgraph/print.ts';

const { schema, sdl } = createGraph();
const clientSchema = printClientSchema(schema);
const { possibleTypes, payloadTypes, valueTypes } = findCacheTypes(schema);

const HEADER = 'Generated from src/ by `npm run codegen`. Do not edit.';

/** Types for the documents in an example's files, through `graphql()`. */
const createExampleConfig = (folder: string, nullability: WorkspacePresetConfig['nullability']) => ({
  documents: [`${folder}/**/*.{ts,tsx}`, `!${folder}/gql/**`, `!${folder}/node_modules/**`],
  preset,
  presetConfig: { nullability },
  config: { importExtension: '.ts' as const },
});

/** A module with one constant, whose type is literal. */
const createConstant = (name: string, value: object) => ({
  plugins: [{ add: { content: `// ${HEADER}\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n` } }],
});

const config: CodegenConfig = {
  schema: clientSchema,
  generates: {
    'schema.graphql': { plugins: [{ add: { content: `# ${HEADER}\n\n${clientSchema}` } }] },
    'client/schema.graphql': {
      plugins: [
        {
          add: { content: `# ${HEADER}\n# Inputs don't require their idempotency keys.\n\n${createSchemaWithOptionalKeys(clientSchema)}` },
        },
      ],
    },
    'subgraph.graphql': { plugins: [{ add: { content: `# ${HEADER}\n\n${sdl}` } }] },
    'docs/assumed.md': { plugins: [{ add: { content: `<!-- ${HEADER} -->\n\n${createAssumedPage(schema)}` } }] },
    'docs/configuration.md': { plugins: [{ add: { content: `<!-- ${HEADER} -->\n\n${createConfigurationPage()}` } }] },
    'cli/export/roots.gen.ts': createConstant('ROOTS', listExportRoots(schema)),
    'cli/import/rules.gen.ts': createConstant('INPUT_RULES', listInputRules(schema)),
    'client/src/generated/failureTypes.gen.ts': createConstant('FAILURE_TYPES', findFailureTypes(schema)),
    'client/src/generated/payloadTypes.gen.ts': createConstant('PAYLOAD_TYPES', payloadTypes),
    'client/src/generated/possibleTypes.gen.ts': createConstant('POSSIBLE_TYPES', possibleTypes),
    'client/src/generated/valueTypes.gen.ts': createConstant('VALUE_TYPES', valueTypes),
    'client/src/generated/connections.gen.ts': createConstant('CONNECTIONS', findConnectionFields(schema)),
    'examples/client/gql/': createExampleConfig('examples/client', 'throws'),
    'examples/start/src/gql/': createExampleConfig('examples/start/src', 'partial'),
    'examples/web/gql/': createExampleConfig('examples/web', 'partial'),
  },
};

export default config;
