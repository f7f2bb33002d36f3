import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { ExportColumn, Root } from '../../cli/export/roots.ts';
import { toWords } from '../../src/lib/words.ts';
import type { CostExtensions } from '../../src/schema/kit/costExtensions.ts';
import { getWireEnum } from '../../src/schema/kit/enums.ts';
import { getListedType, getOwnerType } from '../../src/schema/kit/globalIds.ts';
import { getMember, getOperation } from '../../src/schema/kit/operations.ts';
import { getEntityByName } from '../../src/schema/kit/registry.ts';
import { getSearchName, listSearches, type Search } from '../../src/schema/search/searches.ts';
import type { MessageField } from '../../src/upstream/contract/fields.ts';
import { ExecuteQuery } from '../../src/upstream/contract/generated/operations.ts';

type Field = GraphQLField<unknown, unknown>;
type IdField = 'id' | 'rawId';

/** Fields of customers with all records of a type. */
const CUSTOMER_FIELDS: Readonly<Record<string, string>> = { Order: 'orders', Quote: 'quotes' };

/** Fields that lead from a reference to the ID of the type that exports list: that of a portfolio is its customer's. */
function getIdPath(type: string, idField: IdField): readonly string[] {
  const listed = getListedType(type);
  return idField === 'id' && listed !== type ? [`${listed.charAt(0).toLowerCase()}${listed.slice(1)}`, idField] : [idField];
}

/** The column of a field. Undefined if it has no value of its own, such as a reference to a record without a global ID. */
function describeField({ name, type }: Field, { refers, type: enumName = '' }: MessageField): ExportColumn | undefined {
  const named = getNamedType(type);
  const text: ExportColumn = { name, type: named.name, kind: 'TEXT', isDefault: true, path: [name] };
  if (named.name === 'Money') return { ...text, kind: 'MONEY' };
  if (isEnumType(named)) return text;
  // The upstream's value of an enum, which `OTHER` stands for.
  if (getWireEnum(enumName)) return { ...text, isDefault: false };
  if (isCompositeType(named)) {
    if (refers === undefined || getOwnerType(refers) !== undefined) return undefined;
    const paths = { path: [name, ...getIdPath(refers, 'id')], rawPath: [name, 'rawId'] };
    return { ...text, name: `${name}Id`, type: 'ID', ...paths };
  }
  if (named.name === 'DateTime') return { ...text, kind: 'TIMESTAMP' };
  return named.name === 'Boolean' ? { ...text, kind: 'BOOLEAN' } : text;
}

/** The fields of a search's records that the index has, in the order of the index. */
function listColumns({ index, target }: Search<object>, type: GraphQLObjectType): readonly ExportColumn[] {
  const fields = Object.values(type.getFields()).filter(({ args }) => args.length === 0);
  const id: ExportColumn = { name: 'id', type: 'ID', kind: 'TEXT', isDefault: true, path: ['id'], rawPath: ['rawId'] };
  return Object.keys(index.columns).flatMap((member) => {
    if (target.key.includes(member)) return [id];
    const exposing = fields.filter((field) => getMember(field) === member);
    return exposing.flatMap((field) => describeField(field, index.record.fields[member] as MessageField) ?? []);
  });
}

/** Whether a field needs no call other than the one that reads its record. */
function isOwn(field: Field): boolean {
  const { calls, reads, sharedCall } = field.extensions as CostExtensions;
  return !calls && !reads && !sharedCall && !getOperation(field) && !field.args.some(isRequiredArgument);
}

/** Selects the fields of a type that its record contains. References are objects with an ID, which is `listed` if it's that of another type. */
function selectRecord(type: GraphQLObjectType, idField: IdField): string {
  // Types without raw IDs have global IDs.
  const otherId = idField === 'rawId' && type.getFields().rawId ? 'id' : 'rawId';
  const fields = Object.values(type.getFields()).filter((field) => isOwn(field) && field.name !== otherId);
  const selected = fields.flatMap((field) => {
    const { name } = field;
    const target = getNamedType(field.type);
    if (isLeafType(target)) return [name];
    if (target.name === 'Money') return [`${name} { amount currencyCode }`];
    if (!isObjectType(target) || target.getFields().pageInfo) return [];
    if (!getEntityByName(target.name)) return [`${name} { ${selectRecord(target, idField)} }`];
    if (getMember(field) === undefined) return [];
    const [first, ...others] = getIdPath(target.name, target.getFields()[idField] ? idField : 'id');
    return [others.length > 0 ? `${name} { listed: ${first} { ${others.join(' ')} } }` : `${name} { ${first} }`];
  });
  return [...new Set(selected)].join(' ');
}

/** What `workspace-graph export` can export, by the names of its roots. */
export const listExportRoots = (schema: GraphQLSchema): Readonly<Record<string, Root>> =>
  Object.fromEntries(
    listSearches().map((search) => {
      const { target } = search;
      const type = schema.getType(target.name) as GraphQLObjectType;
      const customerField = CUSTOMER_FIELDS[target.name];
      const root: Root = {
        search: getSearchName(target.name),
        scopes: [...new Set([...ExecuteQuery.scopes, ...target.operation.scopes])],
        columns: listColumns(search, type),
        record: selectRecord(type, 'id'),
        rawRecord: selectRecord(type, 'rawId'),
        ...(customerField !== undefined && { customerField }),
      };
      return [`${toWords(target.name).replaceAll(' ', '-')}s`, root];
    }),
  );
