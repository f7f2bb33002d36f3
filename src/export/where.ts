import {
  type ConstValueNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  parse,
  parseConstValue,
  print,
  validate,
  valueFromAST,
} from 'graphql';
import { ValidationError } from '../failures/failures.ts';
import { StartError } from '../lib/startup.ts';
import type { ConvertedFilter } from '../schema/search/filters.ts';
import { getSearchName, type Search } from '../schema/search/searches.ts';

const createWhereError = (problem: string) => new StartError(`--where is invalid: ${problem}`);

/** Parses an input literal. Its outer braces can be omitted. */
function parseLiteral(text: string): ConstValueNode {
  const literal = text.trim();
  try {
    return parseConstValue(literal.startsWith('{') ? literal : `{ ${literal} }`);
  } catch (error) {
    if (error instanceof GraphQLError) throw createWhereError(`${error.message} Example: --where 'statuses: [OPEN]'`);
    throw error;
  }
}

/** Converts an input literal of a search's filter to a condition on its index. Throws StartError if it's invalid. */
export function parseWhere(text: string, { target, filter }: Search<object>, schema: GraphQLSchema): ConvertedFilter {
  const field = getSearchName(target.name);
  const literal = parseLiteral(text);
  const [problem] = validate(schema, parse(`{ ${field}(filter: ${print(literal)}) { isTruncated } }`));
  if (problem) throw createWhereError(problem.message);
  const argument = schema
    .getQueryType()
    ?.getFields()
    [field]?.args.find(({ name }) => name === 'filter');
  try {
    return filter.toCondition(valueFromAST(literal, argument?.type as GraphQLInputType) as object);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw createWhereError(error.issues.map(({ path, message }) => `${path.slice(1).join('.')} ${message}`).join(' '));
  }
}
