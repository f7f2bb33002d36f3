import { buildSchema, KnownDirectivesRule, NoUndefinedVariablesRule, parse, specifiedRules, validate } from 'graphql';
import { getGraph } from './getGraph.ts';

const { schema } = getGraph();
const { query, mutation } = { query: schema.getQueryType(), mutation: schema.getMutationType() };

/** Throws if the text isn't fields of a root type, or field definitions of a type. */
export function validateDocumentPart(text: string): void {
  const [first = ''] = /\w+/.exec(text) ?? [];
  const root = [query, mutation].find((type) => type && first in type.getFields());
  if (!root) {
    buildSchema(`type Example { ${text} }`);
    return;
  }
  // The surrounding operation declares the variables, and the schema doesn't contain client directives.
  const rules = specifiedRules.filter((rule) => rule !== NoUndefinedVariablesRule && rule !== KnownDirectivesRule);
  const [problem] = validate(schema, parse(`${root.name.toLowerCase()} { ${text} }`), rules);
  if (problem) throw problem;
}
