import { readFileSync } from 'node:fs';
import { generate } from '@graphql-codegen/cli';
import { buildSchema, isInputObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { preset, schema, type WorkspacePresetConfig } from '../../../client/src/codegen/index.ts';

const ORDER = 'query OrderTotal($id: ID!) { order(id: $id) { status totalOnce { amount } } }';
const CONFIRM = `mutation ConfirmQuote($input: QuoteConfirmInput!) {
  quoteConfirm(input: $input) { __typename ... on QuoteConfirmPayload { effect } ...Failure }
}`;
const PAY = `mutation RequestPayment($input: PaymentCreateInput!) {
  paymentCreate(input: $input) { __typename ... on MutationError { code } }
}`;

/** The generated types for each set of documents and options, without line breaks. */
async function generateTypes(outputs: readonly { readonly documents: readonly string[]; readonly presetConfig?: WorkspacePresetConfig }[]) {
  const files = (await generate(
    {
      schema,
      silent: true,
      generates: Object.fromEntries(
        outputs.map(({ documents, presetConfig = {} }, index) => [`out${index}/`, { documents: [...documents], preset, presetConfig }]),
      ),
    },
    false,
  )) as readonly { readonly filename: string; readonly content: string }[];
  return outputs.map(
    (_, index) => files.find(({ filename }) => filename === `out${index}/graphql.ts`)?.content.replaceAll(/\s+/g, ' ') ?? '',
  );
}

describe('preset for GraphQL Code Generator', () => {
  it('generates exact scalars, enums as types, optional keys, and the fragment Failure', async () => {
    const failure = 'fragment Failure on MutationError { code }';
    const [types, throwing, own] = await generateTypes([
      { documents: [ORDER, CONFIRM, PAY] },
      { documents: [ORDER], presetConfig: { nullability: 'throws' } },
      { documents: [CONFIRM, failure] },
    ]);
    expect(types).toContain('totalOnce: { amount: string } | null');
    expect(types).toContain('export type OrderStatus = /**');
    expect(types).toMatch(/export type PaymentCreateInput = \{.* idempotencyKey\?: string \| null \| undefined;/);
    expect(types).toContain("| { __typename: 'RateLimitedError', retryAfterSeconds");
    expect(types).not.toContain(' $fragmentRefs');
    expect(throwing).toContain('totalOnce: { amount: string } }');
    expect(own).not.toContain('missingId');
  });
});

describe('schema of the client package', () => {
  it('differs from the schema only in the keys of inputs, which are optional', () => {
    const listLines = (sdl: string) => sdl.split('\n').filter((line) => !line.startsWith('#'));
    const [full, client] = [listLines(readFileSync('schema.graphql', 'utf8')), listLines(schema)];
    const changed = full.flatMap((line, index) => (line === client[index] ? [] : [`${line} -> ${client[index]}`]));
    expect(client).toHaveLength(full.length);
    expect(new Set(changed)).toEqual(new Set(['  idempotencyKey: String! ->   idempotencyKey: String']));
    expect(changed).toHaveLength(27);
  });

  it('has an optional key in the input of every mutation', () => {
    const built = buildSchema(schema);
    const mutations = Object.values(built.getMutationType()?.getFields() ?? {});
    const types = mutations.map(({ args: [input] }) => {
      const type = input && built.getType(String(input.type).replace('!', ''));
      return isInputObjectType(type) ? String(type.getFields().idempotencyKey?.type) : undefined;
    });
    expect(types.length).toBeGreaterThanOrEqual(80);
    expect(new Set(types)).toEqual(new Set(['String']));
  });
});
