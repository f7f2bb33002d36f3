import { coerceInputValue, type GraphQLInputType, getNamedType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { toCanonicalJson } from '../../src/lib/canonicalJson.ts';
import type { MaybePromise } from '../../src/lib/maybePromise.ts';
import { quoteText } from '../../src/lib/printableText.ts';
import type { Rules } from '../../src/upstream/contract/operation.ts';
import { findBrokenRules } from '../../src/upstream/contract/rules.ts';
import type { Pacer } from '../bulk/pacer.ts';
import { CellError, type CellFormat, convertCell, extractNotated, listNotations } from './cells.ts';
import { type InputColumn, KEY_FIELD, readCell, setAt } from './columns.ts';
import { readCustomFields, VALUE_MEMBERS } from './customFields.ts';
import { chooseMutation, normalizeMatch } from './match.ts';
import type { ImportMutation } from './mutations.ts';
import { ColumnNotations, type Notation, type NotationChoice } from './notations.ts';
import { References } from './references.ts';
import type { RowStore } from './rowStore.ts';
import { INPUT_RULES } from './rules.gen.ts';
import { readTable, type TableFile, type TableRow } from './table.ts';

/** SHA-256 of a text, in base64url. A promise in browsers, whose function is asynchronous. */
export type Sha256 = (text: string) => MaybePromise<string>;

/** A problem of a row, for the person who corrects the file. */
export interface RowProblem {
  readonly line: number;
  /** Header of the column. Null if the problem concerns the row. */
  readonly column: string | null;
  readonly message: string;
}

/** What identifies a row. */
export interface RowIdentity {
  /** In the state: its key, or its content and occurrence. */
  readonly identity: string;
  /** SHA-256 of its cells. */
  readonly content: string;
  /** Value of `--key-column`. Undefined without one. */
  readonly key: string | undefined;
}

/** A row as the input of a mutation, without its idempotency key. */
export interface ImportRow {
  readonly input: Readonly<Record<string, unknown>>;
  readonly problems: readonly RowProblem[];
}

/** A row, and its identity in the state. */
export interface IdentifiedRow extends ImportRow, RowIdentity {
  readonly line: number;
  /** How often its key or content occurred, including this row. */
  readonly occurrence: number;
}

interface RowConverterOptions {
  readonly file: TableFile;
  readonly columns: readonly InputColumn[];
  readonly mutation: ImportMutation;
  readonly format: CellFormat;
  readonly references: References;
  /** Kinds of the workspace's custom fields, by name. */
  readonly customKinds: ReadonlyMap<string, string>;
  readonly keyColumn: string | undefined;
  readonly sha256: Sha256;
}

async function readCustomKinds(pacer: Pacer, columns: readonly InputColumn[]): Promise<ReadonlyMap<string, string>> {
  if (!columns.some(({ customField }) => customField !== undefined)) return new Map();
  return new Map((await readCustomFields(pacer)).map(({ name, kind }) => [name, kind]));
}

/** graphql-js reports a missing field at the object that lacks it. */
const MISSING = /^Field "(\w+)" of required type /;

function getFieldType(type: GraphQLInputType | undefined, name: string): GraphQLInputType | undefined {
  const named = getNamedType(type);
  return isInputObjectType(named) ? named.getFields()[name]?.type : undefined;
}

/** Quotes a value of a file, shortened. */
const quote = (text: string) => quoteText(text, 60);

/** Converts the rows of a file to inputs, and checks them against the schema. */
export class RowConverter {
  readonly #options: RowConverterOptions;
  readonly #choices = new Map<InputColumn, NotationChoice>();

  private constructor(options: RowConverterOptions) {
    this.#options = options;
  }

  /** How the numbers and dates of columns are read, as lines for a person. */
  get notations(): readonly string[] {
    return [...this.#choices].flatMap(([{ header }, { notation, isCertain }]) => (isCertain ? [`${header}: ${notation.name}`] : []));
  }

  /** Creates the converter of a mutation's rows. Throws StartError for references that can't be looked up, and for ambiguous notations. */
  static async create(
    pacer: Pacer,
    mutation: ImportMutation,
    options: Pick<RowConverterOptions, 'file' | 'columns' | 'format' | 'keyColumn' | 'sha256'>,
  ): Promise<RowConverter> {
    const references = new References(pacer, mutation.name);
    references.check(options.columns);
    const converter = new RowConverter({ ...options, mutation, references, customKinds: await readCustomKinds(pacer, options.columns) });
    await converter.#findNotations();
    return converter;
  }

  /** Reads the file, to find the notation of each column that can have several. */
  async #findNotations(): Promise<void> {
    const { file, columns, format } = this.#options;
    const found = columns.flatMap((column) => {
      const type = this.#getCellType(column);
      const notations = type && column.lookup === undefined && column.constant === undefined ? listNotations(type, format) : [];
      return type && notations.length > 0 ? [{ column, type, notations: new ColumnNotations(notations) }] : [];
    });
    if (found.length === 0) return;
    for await (const row of readTable(file))
      for (const { column, type, notations } of found) {
        const { text, isStandard } = readCell(column, row);
        if (text !== '' && !isStandard) for (const notated of extractNotated(text, type, format)) notations.add(row.line, notated);
      }
    for (const { column, notations } of found) this.#choices.set(column, notations.choose(column.header));
  }

  /** The type of a column's cells. Undefined for a custom field that a cell can't express. */
  #getCellType({ type, customField }: InputColumn): GraphQLInputType | undefined {
    if (customField === undefined) return type;
    return getFieldType(getFieldType(type, 'value'), this.#getMember(customField));
  }

  #getMember(customField: string): string {
    return VALUE_MEMBERS[this.#options.customKinds.get(customField) ?? ''] ?? '';
  }

  /** Looks up the records that rows refer to, before they're converted. */
  async load(rows: readonly TableRow[], store: RowStore): Promise<void> {
    const { columns, references } = this.#options;
    const looked = columns.filter(({ lookup }) => lookup !== undefined);
    const uses = rows.flatMap((row) =>
      row.cells
        ? looked.flatMap((column) => this.#listValues(column, readCell(column, row).text).map((value) => [column, value] as const))
        : [],
    );
    await references.load(uses, store);
  }

  /** Identifies a row by its content and key. */
  async identify({ cells, json }: TableRow): Promise<Omit<RowIdentity, 'identity'>> {
    const { keyColumn, sha256 } = this.#options;
    const content = await sha256(toCanonicalJson(cells ? Object.fromEntries(cells) : json));
    const key = keyColumn === undefined ? undefined : String(cells?.get(keyColumn) ?? json?.[keyColumn] ?? '').trim();
    return { content, key };
  }

  /** What the record of a row is matched by, in the form in which it's compared. Undefined if it isn't matched. */
  readMatch(row: TableRow): { readonly header: string; readonly value: string } | undefined {
    const { columns, mutation, format } = this.#options;
    const column = columns.find(({ path }) => path[0] === mutation.match?.idField);
    const { text } = column ? readCell(column, row) : { text: '' };
    return column && text !== '' && text !== format.nullToken ? { header: column.header, value: normalizeMatch(text) } : undefined;
  }

  /** Whether a row updates a record that was matched. */
  isUpdate({ input }: ImportRow): boolean {
    const { mutation } = this.#options;
    return chooseMutation(mutation, input) !== mutation;
  }

  /** Converts a row whose references were looked up. */
  convert(row: TableRow, key: string | undefined): ImportRow {
    const { keyColumn } = this.#options;
    const { line, json, problem } = row;
    const problems: RowProblem[] = problem === undefined ? [] : [{ line, column: null, message: `The row ${problem}` }];
    const input: Record<string, unknown> = row.cells ? this.#readCells(row, problems) : structuredClone({ ...json });
    if (key === '') problems.push({ line, column: keyColumn ?? null, message: 'The key of the row is missing.' });
    if (json && keyColumn !== undefined && !(keyColumn in this.#options.mutation.input.getFields())) delete input[keyColumn];
    if (problems.length === 0) problems.push(...this.#check(line, input));
    return { input, problems };
  }

  #readCells(row: TableRow, problems: RowProblem[]): Record<string, unknown> {
    const input: Record<string, unknown> = {};
    const { line } = row;
    for (const column of this.#options.columns) {
      const { text, isStandard, failure } = readCell(column, row);
      if (failure !== undefined) problems.push({ line, column: column.header, message: failure });
      if (text === '' || failure !== undefined) continue;
      try {
        this.#write(input, column, text, isStandard ? undefined : this.#choices.get(column)?.notation);
      } catch (error) {
        if (!(error instanceof CellError)) throw error;
        problems.push({ line, column: column.header, message: `The value ${quote(text)} ${error.message}` });
      }
    }
    return input;
  }

  #write(input: Record<string, unknown>, column: InputColumn, text: string, notation: Notation | undefined): void {
    const { format } = this.#options;
    const { path, type, customField, lookup, isOptional = false } = column;
    if (customField !== undefined) {
      const list = path.slice(0, -1);
      const items = (list.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], input) ??
        []) as unknown[];
      items.push({ name: customField, value: this.#convertCustom(column, customField, text, notation) });
      setAt(input, list, items);
    } else if (isOptional && text === format.nullToken) return;
    else if (lookup === undefined || text === format.nullToken) setAt(input, path, convertCell(text, type, format, notation));
    else {
      const ids = this.#listValues(column, text).map((value) => this.#findId(column, value));
      const value = isListType(getNullableType(type)) ? ids : ids[0];
      if (value !== null) setAt(input, path, value);
    }
  }

  /** The values of a cell that are looked up. */
  #listValues({ type }: InputColumn, text: string): readonly string[] {
    const { separator, nullToken } = this.#options.format;
    if (text === '' || text === nullToken) return [];
    return isListType(getNullableType(type)) ? text.split(separator).map((value) => value.trim()) : [text];
  }

  #findId(column: InputColumn, text: string): string | null {
    const found = this.#options.references.find(column, text);
    if ('problem' in found) throw new CellError(found.problem);
    return found.id;
  }

  #convertCustom(column: InputColumn, name: string, text: string, notation: Notation | undefined): object | null {
    const { format, customKinds } = this.#options;
    if (text === format.nullToken) return null;
    const kind = customKinds.get(name);
    if (kind === undefined) throw new CellError(`is for the custom field ${name}, which the workspace hasn’t defined.`);
    const type = this.#getCellType(column);
    if (!type) throw new CellError(`is for a custom field of the kind ${kind}. Import it as JSON lines.`);
    return { [this.#getMember(name)]: convertCell(text, type, format, notation) };
  }

  /** Checks an input against the schema, and against limits that the schema doesn't express. */
  #check(line: number, input: Readonly<Record<string, unknown>>): readonly RowProblem[] {
    const { input: type } = chooseMutation(this.#options.mutation, input);
    const problems: RowProblem[] = [];
    const add = (path: readonly (string | number)[], describe: (name: string) => string) => {
      const name = path.join('.');
      const column = this.#options.columns.find((each) => each.path.join('.') === name)?.header ?? null;
      problems.push({ line, column, message: describe(name === '' ? 'The row' : name) });
    };
    const value = KEY_FIELD in type.getFields() ? { ...input, [KEY_FIELD]: 'checked' } : input;
    coerceInputValue(value, type, (path, _invalid, { message }) => {
      const [, missing] = MISSING.exec(message) ?? [];
      if (missing === undefined) add(path, (name) => `${name}: ${message}`);
      else add([...path, missing], (name) => `${name} is required.`);
    });
    const rules = (INPUT_RULES as Readonly<Record<string, Rules>>)[type.name];
    if (rules && problems.length === 0)
      for (const { path, message } of findBrokenRules(input, rules)) add(path, (name) => `${name} ${message}`);
    return problems;
  }
}
