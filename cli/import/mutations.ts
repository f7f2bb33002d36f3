import {
  buildSchema,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
  isScalarType,
} from 'graphql';
import { describeWrongScalar, parseScalar, SCALAR_TEXTS } from '../../src/lib/scalarTexts.ts';
import { StartError } from '../../src/lib/startup.ts';
import { createMatch, type Match } from './match.ts';

/** A mutation that can be imported. */
export interface ImportMutation {
  readonly name: string;
  readonly input: GraphQLInputObjectType;
  /** Sends `$input`. Its result is `result`. */
  readonly document: string;
  /** Undefined if all rows are sent by this mutation. */
  readonly match?: Match;
}

/** What a mutation must do to be imported. */
const IMPORTABLE = /(?:Create|Update|Adjust|Move)$/;

/** Mutations that return a secret once, which a file of results must not contain. */
const SECRETS: ReadonlySet<string> = new Set(['customerFileUploadCreate', 'memberInviteLinkCreate']);

/** Parts of a result, by the type that they require. */
const RESULT_PARTS: Readonly<Record<string, string>> = {
  ValidationError: 'issues { path message }',
  NotFoundError: 'path',
  ForbiddenError: 'reason',
  RateLimitedError: 'retryAfterSeconds',
  OperationInProgressError: 'retryAfterSeconds',
  OutcomeUnknownError: 'candidates { id }',
  TransitionBlockedError: 'blockers { message }',
};

const isStringScalar = (name: string): name is keyof typeof SCALAR_TEXTS => name in SCALAR_TEXTS;

/** Parses the schema of the graph. Its scalars accept what those of the graph do, except for `JSON`, which accepts any value. */
export function parseSchema(text: string): GraphQLSchema {
  const schema = buildSchema(text, { assumeValid: true, assumeValidSDL: true });
  for (const type of Object.values(schema.getTypeMap())) {
    const { name } = type;
    if (!isScalarType(type) || !isStringScalar(name)) continue;
    const texts = SCALAR_TEXTS[name];
    type.parseValue = (value) => {
      if (parseScalar(texts, value) === undefined) throw new GraphQLError(describeWrongScalar(name, texts, JSON.stringify(value)));
      return value;
    };
  }
  return schema;
}

function createDocument(name: string, input: GraphQLInputObjectType, result: GraphQLUnionType): string {
  const members = result.getTypes().map((type) => type.name);
  const parts = Object.entries(RESULT_PARTS).filter(([type]) => members.includes(type));
  const fragments = parts.map(([type, fields]) => `... on ${type} { ${fields} }`);
  return `mutation ($input: ${input.name}!) { result: ${name}(input: $input) { __typename ... on MutationPayload { effect recordIds { field value } } ... on MutationError { code message retry } ${fragments.join(' ')} } }`;
}

/** Names of the mutations that can be imported. */
export const listImportable = (schema: GraphQLSchema): readonly string[] =>
  Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((name) => IMPORTABLE.test(name) && !SECRETS.has(name));

/** Looks up a mutation, and what its records are matched by, if they are. Throws StartError if it can't be imported. */
export function requireMutation(schema: GraphQLSchema, name: string, matched?: string): ImportMutation {
  const field = schema.getMutationType()?.getFields()[name];
  const importable = listImportable(schema);
  const list = `These can be imported: ${importable.join(', ')}.`;
  if (!field) throw new StartError(`Unknown mutation ${name}. ${list}`);
  if (SECRETS.has(name)) throw new StartError(`${name} can’t be imported, because it returns a secret once. ${list}`);
  if (!importable.includes(name))
    throw new StartError(`${name} can’t be imported, because it doesn’t create, update, adjust, or move records. ${list}`);
  const input = getNamedType(field.args[0]?.type) as GraphQLInputObjectType;
  const document = createDocument(name, input, getNamedType(field.type) as GraphQLUnionType);
  const match = matched === undefined ? undefined : createMatch(name, matched, (update) => requireMutation(schema, update));
  return { name, input, document, ...(match && { match }) };
}
