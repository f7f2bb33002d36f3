import { GraphQLError, Kind, print, type ValueNode, valueFromASTUntyped } from 'graphql';
import { isLongerThan } from '../../lib/characters.ts';
import { describeWrongScalar, parseScalar, SCALAR_TEXTS } from '../../lib/scalarTexts.ts';
import { builder, type GraphTypes } from './builder.ts';
import type { ByteExtensions } from './costExtensions.ts';
import { findProblem } from './jsonValues.ts';
import type { SizeExtensions } from './valueSizes.ts';

/** Without a code, like the errors of the scalars of graphql-js: it depends on whether the value is a literal, or of a variable. */
const createScalarError = (message: string, literal: ValueNode | undefined) => new GraphQLError(message, literal && { nodes: literal });

/** The scalars of the graph. Others are defined by GraphQL and federation. */
type Scalar = Exclude<keyof GraphTypes['Scalars'], 'ID' | '_Any'>;
type StringScalar = Exclude<Scalar, 'JSON'>;

/** The section about scalars that no standard specifies. */
const DOCUMENTED = 'https://github.com/your-org/workspace-graph/blob/main/docs/clients/reading.md#scalars';

/** Standards that specify the scalars. Some scalars accept less than their standard, as their descriptions say. */
const SPECIFIED_BY: Readonly<Record<Scalar, string>> = {
  CountryCode: 'https://www.iso.org/iso-3166-country-codes.html',
  CurrencyCode: 'https://www.iso.org/iso-4217-currency-codes.html',
  Date: 'https://www.rfc-editor.org/rfc/rfc3339',
  DateTime: 'https://www.rfc-editor.org/rfc/rfc3339',
  Decimal: DOCUMENTED,
  HexColor: 'https://www.w3.org/TR/css-color-4/#hex-notation',
  Int64: DOCUMENTED,
  JSON: 'https://www.rfc-editor.org/rfc/rfc8259',
  TimeZone: 'https://www.iana.org/time-zones',
  URL: 'https://url.spec.whatwg.org/',
  Version: DOCUMENTED,
};

/** Defines a scalar that is a string in inputs and outputs. Validates inputs strictly, but returns values of the upstream unchanged. */
function defineStringScalar(name: StringScalar, description: string): void {
  const texts = SCALAR_TEXTS[name];
  const parse = (value: unknown, literal?: ValueNode): string => {
    const parsed = parseScalar(texts, value);
    if (parsed !== undefined) return parsed;
    const written = literal && literal.kind !== Kind.STRING ? print(literal) : JSON.stringify(value);
    throw createScalarError(describeWrongScalar(name, texts, written), literal);
  };
  builder.scalarType(name, {
    description,
    specifiedByURL: SPECIFIED_BY[name],
    serialize: (value) => String(value),
    parseValue: (value) => parse(value),
    // As text, because a number would lose digits.
    parseLiteral: (node) => parse(node.kind === Kind.INT ? node.value : valueFromASTUntyped(node), node),
  });
}

defineStringScalar('Int64', 'A 64-bit integer, serialized as a string because JSON numbers lose precision beyond 2^53.');
defineStringScalar('Decimal', 'An exact decimal number, serialized as a string, such as "0.21".');
defineStringScalar('Date', 'A calendar date in the format YYYY-MM-DD, such as 2026-03-31.');
defineStringScalar(
  'DateTime',
  'An RFC 3339 timestamp, such as 2026-03-31T09:30:00Z. Responses use UTC. Inputs can have fractional seconds: they are exact in time ranges and comparisons, and rounded down to whole seconds when they are stored in a record.',
);
defineStringScalar('Version', 'The version of a record, as an opaque string. Pass it back unchanged.');
defineStringScalar('CountryCode', 'An ISO 3166-1 alpha-2 country code, such as NL.');
defineStringScalar('CurrencyCode', 'An ISO 4217 currency code, such as EUR.');
defineStringScalar('HexColor', 'A color in the format `#RRGGBB`, with hexadecimal digits.');
defineStringScalar('TimeZone', 'A time zone name from the IANA database, such as Europe/Amsterdam.');
defineStringScalar('URL', 'An absolute URL.');

/** Maximum length of a JSON value in characters. Not documented upstream; chosen. */
const MAX_JSON_LENGTH = 64 * 1024;
/** JSON bytes of a value. Chosen: a complete customer of the sandbox has 740. */
const JSON_BYTES = 512;

function checkJson(value: unknown, literal?: ValueNode): unknown {
  const problem =
    findProblem(value)?.message ??
    (isLongerThan(JSON.stringify(value), MAX_JSON_LENGTH) && `must have at most ${MAX_JSON_LENGTH} characters`);
  if (problem) throw createScalarError(`JSON ${problem}.`, literal);
  return value;
}

builder.scalarType('JSON', {
  description: 'Any JSON value, such as an object, an array, or a string.',
  specifiedByURL: SPECIFIED_BY.JSON,
  extensions: { maxLength: MAX_JSON_LENGTH, bytes: JSON_BYTES } satisfies SizeExtensions & ByteExtensions,
  serialize: (value) => value,
  parseValue: (value) => checkJson(value),
  parseLiteral: (node, variables) => (node.kind === Kind.NULL ? null : checkJson(valueFromASTUntyped(node, variables), node)),
});
