import {
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
import { graphOf } from './graphOf.ts';

const { schema } = graphOf();
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

/** Refuses a type of another subgraph whose key, or external field, our type does not have. */
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
 * Validates a block of GraphQL: a document, the fields of a root type alone, a type that extends one of ours in another subgraph, or the fields of a type. Throws
 * what is wrong. Answers the document, if it can be run as it stands.
 */
export function validateShown(text: string): DocumentNode | undefined {
  const document = tryParse(text);
  if (document && isOperation(document)) {
    const [problem] = validate(schema, document);
    if (problem) throw problem;
    return document;
  }
  if (document) {
    for (const definition of document.definitions) if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) checkExtension(definition);
    return;
  }
  const [first = ''] = /\w+/.exec(text) ?? [];
  const root = [query, mutation].find((type) => type && first in type.getFields());
  if (!root) {
    // Fields of a type as a schema declares them.
    parse(`type Shown { ${text} }`);
    return;
  }
  // Its variables are declared by the operation around it, and clients' directives are not of the schema.
  const rules = specifiedRules.filter((rule) => rule !== NoUndefinedVariablesRule && rule !== KnownDirectivesRule);
  const [problem] = validate(schema, parse(`${root.name.toLowerCase()} { ${text} }`), rules);
  if (problem) throw problem;
}
