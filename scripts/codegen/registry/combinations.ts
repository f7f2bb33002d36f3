import { type DescMessage, getOption } from '@bufbuild/protobuf';
import { message as messageRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { getJsonName } from './options.ts';

/** Constraints between the fields of a message, by JSON name. */
export interface Combinations {
  readonly exactlyOne?: readonly string[];
  readonly atLeastOne?: readonly string[];
}

/** `has(this.name) || has(this.color)`: protovalidate has no other way to require at least one field. */
const AT_LEAST_ONE = /^has\(this\.\w+\)( \|\| has\(this\.\w+\))+$/;

/** Reads the constraints between the fields of a message. Throws for a rule that the registry doesn't support, so that none is lost. */
export function readCombinations(message: DescMessage): Combinations {
  const { oneof, cel, celExpression } = getOption(message, messageRules);
  const expressions = [...cel.map(({ expression }) => expression), ...celExpression];
  const [choice] = oneof;
  const [expression] = expressions;
  if (oneof.length > 1 || (choice && !choice.required))
    throw new Error(`${message.name}: a message can have at most one oneof, and it must be required.`);
  if (expressions.length > 1 || (expression !== undefined && !AT_LEAST_ONE.test(expression)))
    throw new Error(`${message.name}: the only supported CEL rule has the form has(this.a) || has(this.b).`);
  return {
    ...(choice && { exactlyOne: choice.fields.map((name) => getJsonName(message, name)) }),
    ...(expression && { atLeastOne: [...expression.matchAll(/this\.(\w+)/g)].map(([, name = '']) => getJsonName(message, name)) }),
  };
}
