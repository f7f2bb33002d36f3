import type { Intent } from './intents.ts';

/** The parts of a parsed document that are read here. Every version of GraphQL.js has them. */
interface ParsedDocument {
  readonly definitions: readonly {
    readonly kind: string;
    readonly name?: { readonly value: string } | undefined;
    readonly selectionSet?: { readonly selections: readonly Selection[] };
  }[];
}

interface Selection {
  readonly kind: string;
  readonly arguments?: readonly {
    readonly name: { readonly value: string };
    readonly value: { readonly kind: string; readonly name?: { readonly value: string } };
  }[];
}

/** Names of the variables that contain the inputs of a mutation, in order. Null if an input can’t get a key, because it isn’t a variable of its own. */
export type InputNames = readonly string[] | null;

const toInputNames = (names: readonly (string | undefined)[]): InputNames => {
  const found = names.filter((name) => name !== undefined);
  return names.length > 0 && new Set(found).size === names.length ? found : null;
};

function getInputVariable({ arguments: list = [] }: Selection): string | undefined {
  const value = list.find(({ name }) => name.value === 'input')?.value;
  return value?.kind === 'Variable' ? value.name?.value : undefined;
}

/** What is needed to send the operation of a document. */
interface DocumentInfo {
  readonly operationName: string | undefined;
  readonly inputs: InputNames;
}

function inspect({ definitions }: ParsedDocument): DocumentInfo {
  const operation = definitions.find(({ kind }) => kind === 'OperationDefinition');
  return { operationName: operation?.name?.value, inputs: toInputNames((operation?.selectionSet?.selections ?? []).map(getInputVariable)) };
}

const inspected = new WeakMap<ParsedDocument, DocumentInfo>();

/** Finds the operation of a parsed document and its inputs. */
export function inspectDocument(document: ParsedDocument): DocumentInfo {
  const info = inspected.get(document) ?? inspect(document);
  inspected.set(document, info);
  return info;
}

/** `input` as an argument, with its variable. Declarations of variables have a `$` in front. */
const INPUT_ARGUMENT = /(?<![$\w])input\s*:\s*(?:\$(\w+))?/g;

/** Finds the inputs in the text of a document. Only mutations have arguments named `input`. */
export const findInputsInText = (text: string): InputNames => toInputNames(Array.from(text.matchAll(INPUT_ARGUMENT), ([, name]) => name));

type Variables = Readonly<Record<string, unknown>>;

/**
 * Adds the key of an intent to each input that has none. The second input gets `key.1`, and so on, because each write needs a key of its own. Null if an input
 * isn’t an object.
 */
export function addKeys(names: InputNames, variables: Variables, { key }: Intent): Record<string, unknown> | null {
  if (!names?.every((name) => typeof variables[name] === 'object' && variables[name] !== null)) return null;
  const inputs = names.map((name, index) => {
    const input = variables[name] as Variables;
    return [name, { ...input, idempotencyKey: input.idempotencyKey ?? (index === 0 ? key : `${key}.${index}`) }];
  });
  return { ...variables, ...Object.fromEntries(inputs) };
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };

function isDevelopment(): boolean {
  try {
    // Bundlers replace the expression. Without one, browsers have no `process`.
    return process.env.NODE_ENV !== 'production';
  } catch {
    return false;
  }
}

const warned = new Set<string>();

/** Warns developers, once per operation, that a mutation is sent without a key. */
export function warnWithoutKey(operation: string): void {
  if (warned.has(operation) || !isDevelopment()) return;
  warned.add(operation);
  console.warn(
    `${operation} has no idempotency key and isn’t retried, because an input isn’t a variable of its own. Pass each input as one variable, such as \`input: $input\`.`,
  );
}
