// Lints GraphQL and the wording of messages. Biome lints everything else.
import graphql from '@graphql-eslint/eslint-plugin';
import { messageRules } from './scripts/language/messageRules.js';

const { '@graphql-eslint/naming-convention': naming, ...recommended } = graphql.configs['flat/schema-recommended'].rules;
const [, names] = naming;
const ofObjects = 'ObjectTypeDefinition,ObjectTypeExtension';
const ofQuery = 'FieldDefinition[parent.name.value=Query]';

const PARSER = { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: 'schema.graphql', documents: 'examples/*.graphql' } } };

export default [
  messageRules,
  {
    files: ['schema.graphql'],
    plugins: { '@graphql-eslint': graphql },
    languageOptions: PARSER,
    rules: {
      ...recommended,
      // The type of an appointment is a record, and its name a term of the trade. A query of analytics is asked by `analyticsQuery`.
      '@graphql-eslint/naming-convention': [
        'error',
        {
          ...names,
          [ofObjects]: { ...names[ofObjects], ignorePattern: '^AppointmentType$' },
          [ofQuery]: { ...names[ofQuery], ignorePattern: '^analyticsQuery$' },
        },
      ],
      ...graphql.configs['flat/schema-relay'].rules,
      // `nodes` lists records beside `edges`, and a record has lists of its own.
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
      '@graphql-eslint/require-description': [
        'error',
        { types: true, rootField: true, FieldDefinition: true, InputValueDefinition: true, EnumValueDefinition: true },
      ],
      // Fields keep the upstream's words, and `discountOnce` is one of them.
      '@graphql-eslint/no-typename-prefix': 'off',
      '@graphql-eslint/require-nullable-fields-with-oneof': 'error',
      // Money, lines and payloads have no id, and should have none.
      '@graphql-eslint/strict-id-in-types': 'off',
    },
  },
  {
    files: ['examples/*.graphql'],
    plugins: { '@graphql-eslint': graphql },
    languageOptions: PARSER,
    rules: {
      ...graphql.configs['flat/operations-recommended'].rules,
      // The graph limits documents by their cost, so a limit of depth adds nothing.
      '@graphql-eslint/selection-set-depth': 'off',
    },
  },
  {
    files: ['examples/failure.graphql'],
    plugins: { '@graphql-eslint': graphql },
    // Documents of clients spread it.
    rules: { '@graphql-eslint/no-unused-fragments': 'off' },
  },
];
