import { type DescMessage, getOption } from '@bufbuild/protobuf';
import { message as messageRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { jsonName } from './options.ts';

/** Which fields of a message go together, by their names on the wire. */
export interface Combinations {
  readonly exactlyOne?: readonly string[];
  readonly atLeastOne?: readonly string[];
}

/** `has(this.name) || has(this.colour)`: protovalidate has no other way to ask for one field or more. */
const AT_LEAST_ONE = /^has\(this\.\w+\)( \|\| has\(this\.\w+\))+$/;

/** The rules that hold between the fields of a message. A rule that the registry has no word for is refused, so that none is lost. */
export function combinationsOf(message: DescMessage): Combinations {
  const { oneof, cel, celExpression } = getOption(message, messageRules);
  const expressions = [...cel.map(({ expression }) => expression), ...celExpression];
  const [choice] = oneof;
  const [expression] = expressions;
  if (oneof.length > 1 || (choice && !choice.required))
    throw new Error(`${message.name}: the registry knows one oneof for a message, which must be required.`);
  if (expressions.length > 1 || (expression !== undefined && !AT_LEAST_ONE.test(expression)))
    throw new Error(`${message.name}: the registry knows no rule in CEL but one of the form has(this.a) || has(this.b).`);
  return {
    ...(choice && { exactlyOne: choice.fields.map((name) => jsonName(message, name)) }),
    ...(expression && { atLeastOne: [...expression.matchAll(/this\.(\w+)/g)].map(([, name = '']) => jsonName(message, name)) }),
  };
}
