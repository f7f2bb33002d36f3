// Lints GraphQL and wording. Biome lints everything else.
import graphql from '@graphql-eslint/eslint-plugin';
import { wordingRules } from './scripts/language/wordingRules.js';

const { '@graphql-eslint/naming-convention': naming, ...recommended } = graphql.configs['flat/schema-recommended'].rules;
const [, conventions] = naming;
const objectTypes = 'ObjectTypeDefinition,ObjectTypeExtension';
const queryFields = 'FieldDefinition[parent.name.value=Query]';

const PARSER = {
  parser: graphql.parser,
  parserOptions: { graphQLConfig: { schema: 'schema.graphql', documents: ['examples/*.graphql', 'client/failure.graphql'] } },
};

export default [
  // Generated files disable rules that this configuration doesn’t have.
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  ...wordingRules,
  {
    files: ['schema.graphql'],
    plugins: { '@graphql-eslint': graphql },
    languageOptions: PARSER,
    rules: {
      ...recommended,
      // `AppointmentType` is a record whose name is the domain's term. `analyticsQuery` runs an analytics query.
      '@graphql-eslint/naming-convention': [
        'error',
        {
          ...conventions,
          [objectTypes]: { ...conventions[objectTypes], ignorePattern: '^AppointmentType$' },
          [queryFields]: { ...conventions[queryFields], ignorePattern: '^analyticsQuery$' },
        },
      ],
      ...graphql.configs['flat/schema-relay'].rules,
      // Connections have `nodes` next to `edges`, and records have plain lists.
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
      '@graphql-eslint/require-description': [
        'error',
        { types: true, rootField: true, FieldDefinition: true, InputValueDefinition: true, EnumValueDefinition: true },
      ],
      // Fields have the upstream's names, such as `discountOnce`.
      '@graphql-eslint/no-typename-prefix': 'off',
      '@graphql-eslint/require-nullable-fields-with-oneof': 'error',
      // Money, lines, and payloads have no ID by design.
      '@graphql-eslint/strict-id-in-types': 'off',
    },
  },
  {
    files: ['examples/*.graphql', 'client/failure.graphql'],
    plugins: { '@graphql-eslint': graphql },
    languageOptions: PARSER,
    rules: {
      ...graphql.configs['flat/operations-recommended'].rules,
      // The graph limits documents by their cost, so a depth limit isn't needed.
      '@graphql-eslint/selection-set-depth': 'off',
    },
  },
  {
    files: ['client/failure.graphql'],
    plugins: { '@graphql-eslint': graphql },
    // Client documents spread this fragment.
    rules: { '@graphql-eslint/no-unused-fragments': 'off' },
  },
];
