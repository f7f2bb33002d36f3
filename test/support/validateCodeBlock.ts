import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  buildSchema,
  type DocumentNode,
  Kind,
  KnownDirectivesRule,
  NoUndefinedVariablesRule,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  specifiedRules,
  validate,
} from 'graphql';
import { getGraph } from './getGraph.ts';

const { schema } = getGraph();
const { query, mutation } = { query: schema.getQueryType(), mutation: schema.getMutationType() };

function tryParse(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const isOperation = ({ definitions }: DocumentNode) =>
  definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION);

/** Throws if a type extension of another subgraph has a key or an external field that this graph's type doesn't have. */
function checkExtension({ name, directives = [], fields = [] }: ObjectTypeDefinitionNode): void {
  const ours = schema.getType(name.value);
  if (!ours || !('getFields' in ours)) throw new Error(`The schema has no type ${name.value}.`);
  const keys = directives
    .filter((directive) => directive.name.value === 'key')
    .map((directive) => print(directive.arguments?.[0]?.value ?? name));
  const external = fields.filter((field) => field.directives?.some((directive) => directive.name.value === 'external'));
  for (const key of [...keys.flatMap((text) => text.replaceAll('"', '').split(' ')), ...external.map((field) => field.name.value)])
    if (!(key in ours.getFields())) throw new Error(`${name.value} has no field ${key}.`);
}

/**
 * Validates a GraphQL code block: a document, fields of a root type, a type extension in another subgraph, or the fields of a type. Throws the errors. Returns
 * the document if it's executable.
 */
export function validateCodeBlock(text: string): DocumentNode | undefined {
  const document = tryParse(text);
  if (document && isOperation(document)) {
    const [problem] = validate(schema, document);
    if (problem) throw problem;
    return document;
  }
  if (document) {
    buildSubgraphSchema({ typeDefs: document });
    for (const definition of document.definitions) if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) checkExtension(definition);
    return;
  }
  const [first = ''] = /\w+/.exec(text) ?? [];
  const root = [query, mutation].find((type) => type && first in type.getFields());
  if (!root) {
    // Field definitions of a type.
    buildSchema(`type Example { ${text} }`);
    return;
  }
  // The surrounding operation declares the variables, and the schema doesn't contain client directives.
  const rules = specifiedRules.filter((rule) => rule !== NoUndefinedVariablesRule && rule !== KnownDirectivesRule);
  const [problem] = validate(schema, parse(`${root.name.toLowerCase()} { ${text} }`), rules);
  if (problem) throw problem;
}
