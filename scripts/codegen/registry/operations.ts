import { type DescMethod, ScalarType } from '@bufbuild/protobuf';
import type { GeneratedFile, Schema } from '@bufbuild/protoplugin';
import type { Page } from '../../../src/upstream/contract/operation.ts';
import { getDecoderName } from './decoders.ts';
import { type CoverOptions, getJsonName, isContractType, type OptionReader, type PageOptions, type PartsOptions } from './options.ts';
import { listSensitivePaths } from './sensitive.ts';

const EFFECTS = [undefined, 'READ', 'KEYED', 'CRITICAL', 'CREATING', 'SETTING', 'SETTLED', 'EXPENSIVE_READ'] as const;
const PAGING = [undefined, 'PAGE', 'PREFIX', 'WHOLE', 'WINDOW'] as const;

const PAGE_MEMBERS: Readonly<Record<string, keyof Page>> = {
  kind: 'kind',
  default_size: 'defaultSize',
  max_size: 'maxSize',
  max_page: 'maxPage',
};

/** The boolean field of a response that an option names. */
function findFlag({ output }: DescMethod, name: string): string {
  if (output.fields.find((field) => field.name === name)?.scalar === ScalarType.BOOL) return getJsonName(output, name);
  throw new Error(`${output.name}.${name} must be a bool that indicates whether rows were omitted.`);
}

function createPage(method: DescMethod, page: PageOptions | undefined): Page | undefined {
  if (!page) return undefined;
  const kind = PAGING[page.kind];
  if (!kind) throw new Error(`${method.name} must declare the pagination style of its list.`);
  const lists = method.output.fields.filter((field) => field.fieldKind === 'list' && field.listKind === 'message');
  const [items] = lists;
  if ((page.fromField !== '' || page.toField !== '') !== (kind === 'WINDOW'))
    throw new Error(`${method.name}: PAGING_WINDOW requires from_field and to_field. Other styles don’t allow them.`);
  if (!items || lists.length > 1) throw new Error(`${method.output.name} must contain exactly one list of records.`);
  return {
    kind,
    items: items.jsonName,
    defaultSize: page.defaultSize,
    maxSize: page.maxSize,
    ...(page.maxPage > 0 && { maxPage: page.maxPage }),
    ...(page.cutField && { cutField: findFlag(method, page.cutField) }),
    ...(kind === 'WINDOW' && { fromField: getJsonName(method.input, page.fromField), toField: getJsonName(method.input, page.toField) }),
    stated: page.stated.map((name) => {
      const member = PAGE_MEMBERS[name];
      if (member) return member;
      throw new Error(
        `${method.name} declares ${name} of its page as stated, but the members of a page are: ${Object.keys(PAGE_MEMBERS).join(', ')}.`,
      );
    }),
  };
}

/** The members of a response that contain records. */
const listReturnedRecords = ({ output }: DescMethod) =>
  Object.fromEntries(
    output.fields.flatMap(({ jsonName: member, fieldKind, message }) =>
      message && isContractType(message) ? [[member, { record: message.name, ...(fieldKind === 'list' && { list: true }) }]] : [],
    ),
  );

/** Type names of the contract's messages that a response contains, either as single records or as lists. */
const listRecordTypes = ({ output }: DescMethod, isList: boolean) =>
  output.fields.flatMap(({ fieldKind, message }) =>
    message && isContractType(message) && fieldKind === (isList ? 'list' : 'message') ? [message.typeName] : [],
  );

/** The covering list of an operation that gets one record. */
function createCover(method: DescMethod, cover: CoverOptions | undefined, reader: OptionReader) {
  if (!cover) return undefined;
  const list = method.parent.methods.find(({ name }) => name === cover.list);
  const fail = (why: string) => {
    throw new Error(
      `The covering list of ${method.name} must be a list of ${method.parent.name} that returns the same records, but ${cover.list} ${why}.`,
    );
  };
  if (!list) return fail('doesn’t exist');
  const { page } = reader.getOperation(list);
  const kind = page && PAGING[page.kind];
  if (!(kind === 'PAGE' && page?.maxPage === 0) && kind !== 'PREFIX')
    return fail('has another pagination style than PAGING_PREFIX or PAGING_PAGE without max_page');
  if (listRecordTypes(list, true).join() !== listRecordTypes(method, false).join()) return fail('returns other records');
  return { list: `${list.parent.name}/${list.name}`, ...(reader.isCoverAssumed(cover) && { assumed: true }) };
}

/** The request fields of a list that identify the owner of its rows. The rows have them, too. */
function createParts(method: DescMethod, parts: PartsOptions | undefined, reader: OptionReader) {
  if (!parts) return undefined;
  const { page } = reader.getOperation(method);
  if (!page || PAGING[page.kind] !== 'PAGE' || page.maxPage > 0)
    throw new Error(
      `${method.name} must have the pagination style PAGING_PAGE without max_page, because it declares the owner of its rows.`,
    );
  const row = method.output.fields.find(({ fieldKind }) => fieldKind === 'list')?.message;
  const owners = parts.owners.map((field) => {
    const owner = getJsonName(method.input, field);
    if (!row || getJsonName(row, field) !== owner)
      throw new Error(`${method.name} and its rows must have the field ${field} with the same JSON name.`);
    return owner;
  });
  return { owners, ...(reader.isCoverAssumed(parts) && { assumed: true }) };
}

/** The segments of the path that aren't documented. */
const listAssumedSegments = (method: DescMethod, options: OptionReader) => [
  ...(options.isSegmentAssumed(method.parent) ? ['service'] : []),
  ...(options.getOperation(method).assumedName ? ['name'] : []),
];

function createEntry(method: DescMethod, reader: OptionReader) {
  const options = reader.getOperation(method);
  const effect = EFFECTS[options.effect];
  if (!effect) throw new Error(`${method.name} must declare its effect.`);
  if ((effect === 'KEYED') !== (options.keyField !== ''))
    throw new Error(`${method.name}: EFFECT_KEYED requires a key field. Other effects don’t allow one.`);
  if (options.scopes.length === 0 && options.assumedScopes.length === 0)
    throw new Error(`${method.name} must declare its scopes or assumed scopes.`);
  const { input } = method;
  const page = createPage(method, options.page);
  const cover = createCover(method, options.cover, reader);
  const parts = createParts(method, options.parts, reader);
  const sensitive = listSensitivePaths(method.output, reader);
  return {
    name: `${method.parent.name}/${method.name}`,
    path: `/public-api/${method.parent.typeName}/${method.name}`,
    area: reader.getArea(method.parent),
    scopes: options.scopes,
    ...(options.conditionalScopes.length > 0 && {
      conditionalScopes: options.conditionalScopes.map(({ scope, field }) => ({ scope, field: getJsonName(input, field) })),
    }),
    ...(options.scopes.length === 0 && { scopesUnknown: true, assumedScopes: options.assumedScopes }),
    effect,
    ...(options.keyField && { keyField: getJsonName(input, options.keyField) }),
    ...(options.keyWhen && { keyWhen: getJsonName(input, options.keyWhen) }),
    ...(options.versionField && { versionField: getJsonName(input, options.versionField) }),
    ...(options.transition && { transition: true }),
    ...(options.moves && { moves: true }),
    ...(page && { page }),
    ...(cover && { cover }),
    ...(parts && { parts }),
    ...(options.emptyIfMissing && { emptyIfMissing: true }),
    ...(reader.isShapeAssumed(method) && { assumed: true }),
    assumedPath: listAssumedSegments(method, reader),
    answers: listReturnedRecords(method),
    ...(sensitive.length > 0 && { sensitive }),
  };
}

/** Prints operations.ts: the policy of every operation, with the types of its messages. */
export function printOperations(schema: Schema, file: GeneratedFile, options: OptionReader): void {
  const operationType = file.import('Operation', '../operation.ts', true);
  const anyOperationType = file.import('AnyOperation', '../operation.ts', true);
  const rulesOf = file.import('rulesOf', '../rules.ts');
  const methods = schema.files.flatMap((each) => each.services).flatMap((service) => service.methods);
  for (const method of methods) {
    const request = file.import(method.input.name, './messages.ts');
    const types = [file.importJson(method.input), ', ', file.import(method.output.name, './records.ts', true), ', typeof ', request];
    const entry = JSON.stringify(createEntry(method, options)).slice(0, -1);
    file.print();
    file.print(
      'export const ',
      method.name,
      ': ',
      operationType,
      '<',
      types,
      '> = ',
      entry,
      ',"request":',
      request,
      ',"response":',
      file.import(method.output.name, './messages.ts'),
      ',"decode":',
      file.import(getDecoderName(method.output), './decoders.ts'),
      ',"rules":',
      rulesOf,
      '(',
      request,
      ')};',
    );
  }
  const names = methods.map(({ name }) => name).sort();
  file.print();
  file.print('/** Every operation of the contract. */');
  file.print('export const operations: readonly ', anyOperationType, '[] = [', names.join(', '), '];');
}
