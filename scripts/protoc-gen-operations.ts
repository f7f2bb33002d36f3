// A protoc plugin: writes operations.ts, the registry of the contract's operations, with no protobuf at run time.
import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  type Message,
} from '@bufbuild/protobuf';
import { createEcmaScriptPlugin, type GeneratedFile, runNodeJs, type Schema } from '@bufbuild/protoplugin';
import { field as fieldRules, message as messageRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import type { Rule, Rules } from '../src/upstream/contract/operation.ts';

const EFFECTS = ['', 'READ', 'KEYED', 'CRITICAL', 'CREATING', 'SETTING', 'SETTLED'] as const;
const PAGING = ['', 'PAGE', 'PREFIX', 'WHOLE'] as const;
const ASSUMED = 2;

/** options.proto, as its extensions decode it. */
interface OperationOptions extends Message {
  scopes: string[];
  conditionalScopes: { scope: string; field: string }[];
  assumedScopes: string[];
  effect: number;
  keyField: string;
  keyWhen: string;
  versionField: string;
  transition: boolean;
  moves: boolean;
  page?: { kind: number; defaultSize: number; maxSize: number; maxPage: number };
  provenance: number;
}

/** Found in the files at hand, not imported: so a change of options.proto needs no earlier run. */
function extension(schema: Schema, name: string): DescExtension {
  const found = schema.allFiles.flatMap((file) => file.extensions).find((entry) => entry.typeName === `publicapi.v1.${name}`);
  if (!found) throw new Error(`options.proto must extend the options with ${name}.`);
  return found;
}

const jsonName = (message: DescMessage, protoName: string): string => {
  const found = message.fields.find((entry) => entry.name === protoName);
  if (!found) throw new Error(`${message.typeName} has no field ${protoName}, but an option names it.`);
  return found.jsonName;
};

const plain = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));

/** Drops what is not set, so that the registry shows rules and nothing else. */
const compact = (value: object): Rule =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== 0 && each !== ''));

function scalarRule(rules: ReturnType<typeof fieldConstraints>): Rule {
  const type = rules?.type;
  if (!type?.case) return {};
  switch (type.case) {
    case 'string': {
      const { minLen, maxLen, pattern, in: words, wellKnown } = type.value;
      if (wellKnown.case && wellKnown.case !== 'uuid') throw new Error(`The registry knows no rule string.${wellKnown.case}.`);
      return compact({
        minLength: plain(minLen),
        maxLength: plain(maxLen),
        pattern,
        ...(words.length > 0 && { in: words }),
        ...(wellKnown.case === 'uuid' && { uuid: true }),
      });
    }
    case 'int32':
    case 'int64':
    case 'double': {
      const { lessThan, greaterThan, notIn } = type.value;
      if (lessThan.case === 'lt') throw new Error('The registry knows no rule lt; use lte.');
      return {
        ...(greaterThan.case && { [greaterThan.case]: Number(greaterThan.value) }),
        ...(lessThan.case && { lte: Number(lessThan.value) }),
        ...(notIn[0] !== undefined && { not: Number(notIn[0]) }),
      };
    }
    case 'repeated':
      return compact({ minItems: plain(type.value.minItems), maxItems: plain(type.value.maxItems) });
    case 'map':
      return compact({ minItems: plain(type.value.minPairs), maxItems: plain(type.value.maxPairs) });
    case 'enum':
      return {};
    default:
      throw new Error(`The registry knows no rules for ${type.case}; teach scripts/protoc-gen-operations.ts.`);
  }
}

const fieldConstraints = (field: DescField) => (hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined);

const isOwn = (message: DescMessage) => message.typeName.startsWith('publicapi.');

function rulesOf(message: DescMessage): Rules {
  const fields: Record<string, Rule> = {};
  for (const field of message.fields) {
    const nested = field.message && isOwn(field.message) ? rulesOf(field.message) : undefined;
    const hasNested = nested && (nested.exactlyOne || Object.keys(nested.fields).length > 0);
    const rule: Rule = { ...scalarRule(fieldConstraints(field)), ...(hasNested && { each: nested }) };
    if (Object.keys(rule).length > 0) fields[field.jsonName] = rule;
  }
  const oneofs = hasOption(message, messageRules) ? getOption(message, messageRules).oneof : [];
  const exactlyOne = oneofs.find((oneof) => oneof.required)?.fields.map((name) => jsonName(message, name));
  return { ...(exactlyOne && { exactlyOne }), fields };
}

function pageOf(method: DescMethod, page: OperationOptions['page']) {
  if (!page) return undefined;
  const lists = method.output.fields.filter((field) => field.fieldKind === 'list' && field.listKind === 'message');
  const [items] = lists;
  if (!items || lists.length > 1) throw new Error(`${method.output.name} must hold exactly one list of records.`);
  return {
    kind: PAGING[page.kind],
    items: items.jsonName,
    defaultSize: page.defaultSize,
    maxSize: page.maxSize,
    ...(page.maxPage > 0 && { maxPage: page.maxPage }),
  };
}

function entry(method: DescMethod, options: OperationOptions) {
  const effect = EFFECTS[options.effect];
  if (!effect) throw new Error(`${method.name} must say its effect.`);
  if ((effect === 'KEYED') !== (options.keyField !== ''))
    throw new Error(`${method.name}: a key field goes with EFFECT_KEYED, and only with it.`);
  if (options.scopes.length === 0 && options.assumedScopes.length === 0)
    throw new Error(`${method.name} must name its scopes, or assume some.`);
  const { input } = method;
  const page = pageOf(method, options.page);
  return {
    name: `${method.parent.name}/${method.name}`,
    path: `/public-api/${method.parent.typeName}/${method.name}`,
    scopes: options.scopes,
    ...(options.conditionalScopes.length > 0 && {
      conditionalScopes: options.conditionalScopes.map(({ scope, field }) => ({ scope, field: jsonName(input, field) })),
    }),
    ...(options.scopes.length === 0 && { scopesUnknown: true }),
    effect,
    ...(options.keyField && { keyField: jsonName(input, options.keyField) }),
    ...(options.keyWhen && { keyWhen: jsonName(input, options.keyWhen) }),
    ...(options.versionField && { versionField: jsonName(input, options.versionField) }),
    ...(options.transition && { transition: true }),
    ...(options.moves && { moves: true }),
    ...(page && { page }),
    ...(options.provenance === ASSUMED && { assumed: true }),
    rules: rulesOf(input),
  };
}

function printRecords(file: GeneratedFile, schema: Schema): void {
  const record = extension(schema, 'record');
  const field = extension(schema, 'field');
  file.print('/** The fields of each record that nobody has documented. */');
  file.print('export const assumedFields: Readonly<Record<string, readonly string[]>> = {');
  for (const message of schema.files.flatMap((each) => each.messages)) {
    if (!hasOption(message, record)) continue;
    const assumed = message.fields
      .filter((each) => (hasOption(each, field) ? getOption(each, field) : getOption(message, record)) === ASSUMED)
      .map((each) => each.jsonName);
    file.print('  ', message.name, ': ', JSON.stringify(assumed), ',');
  }
  file.print('};');
}

function generateTs(schema: Schema): void {
  const file = schema.generateFile('operations.ts');
  const first = schema.files.find((each) => each.proto.package === 'publicapi.v1');
  if (first) file.preamble(first);
  const operationType = file.import('Operation', '../operation.ts', true);
  const anyOperationType = file.import('AnyOperation', '../operation.ts', true);
  const operation = extension(schema, 'operation');
  const methods = schema.files.flatMap((each) => each.services).flatMap((service) => service.methods);
  for (const method of methods) {
    const options = getOption(method, operation) as OperationOptions;
    file.print();
    file.print(
      'export const ',
      method.name,
      ': ',
      operationType,
      '<',
      file.importJson(method.input),
      ', ',
      file.importJson(method.output),
      '> = ',
      JSON.stringify(entry(method, options)),
      ';',
    );
  }
  file.print();
  file.print('/** Every operation of the contract. */');
  file.print(
    'export const operations: readonly ',
    anyOperationType,
    '[] = [',
    methods
      .map((method) => method.name)
      .sort()
      .join(', '),
    '];',
  );
  file.print();
  printRecords(file, schema);
}

runNodeJs(createEcmaScriptPlugin({ name: 'protoc-gen-operations', version: 'v1', generateTs }));
