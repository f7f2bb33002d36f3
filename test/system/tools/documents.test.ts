import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startTestGraph } from '../../support/testGraph.ts';
import { PROGRAM_MS } from '../../support/timeouts.ts';
import { connectTools } from '../../support/toolClient.ts';

/** Starts a graph with these files as tools. */
function startGraphWithDocuments(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return startTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm', MCP_DOCUMENTS: folder, ...env } });
}

const QUERY = '# Returns the current user.\nquery who {\n  viewer {\n    workspace {\n      name\n    }\n  }\n}\n';
const MUTATION = `# Confirms.
mutation act($quoteId: ID!, $idempotencyKey: String!) {
  quoteConfirm(input: { quoteId: $quoteId, idempotencyKey: $idempotencyKey }) { __typename ... on MutationError { code message retry } }
}
`;
const PLAN = 'query act_plan($quoteId: ID!) { quote(id: $quoteId) { id } }\n';

describe('MCP_DOCUMENTS', () => {
  it('adds a tool per document', async () => {
    const testGraph = await startGraphWithDocuments({ 'who.graphql': QUERY, 'act.graphql': MUTATION + PLAN, 'readme.txt': 'no tool' });
    const tools = await connectTools(testGraph.app.url, 'demo-owner');
    expect(await tools.names()).toEqual(['svc_act', 'svc_who']);
    expect((await tools.call('svc_who')).body).toEqual({ data: { viewer: { workspace: { name: 'Demo Works' } } } });
    await tools.close();
    await testGraph.close();
  });

  it.each([
    ['no GraphQL', { 'who.graphql': '# x\nquery who {' }, /who\.graphql: Syntax Error/],
    ['an unknown field', { 'who.graphql': '# x\nquery who { absent }' }, /who\.graphql: Cannot query field "absent"/],
    ['no description', { 'who.graphql': QUERY.replace(/^#.*\n/, '') }, /who\.graphql: the file must start with a comment/],
    ['another name', { 'he.graphql': QUERY }, /he\.graphql: the file must contain one operation called he, like the file/],
    [
      'an uppercase name',
      { 'Who.graphql': QUERY.replace('query who', 'query Who') },
      /Who\.graphql: the file name must be lowercase letters/,
    ],
    ['another operation', { 'who.graphql': `${QUERY}query she { viewer { workspace { name } } }` }, /no other except its plan/],
    [
      'a plan of a query',
      { 'who.graphql': `${QUERY}query who_plan { viewer { workspace { name } } }` },
      /a query can’t have a plan; remove who_plan/,
    ],
    ['no plan', { 'act.graphql': MUTATION }, /act\.graphql: the file must also contain a query called act_plan/],
    ['a plan with more variables', { 'act.graphql': MUTATION + PLAN.replaceAll('quoteId', 'id') }, /but uses id/],
    [
      'no idempotency key',
      { 'act.graphql': `${MUTATION.replace(', $idempotencyKey: String!', '').replace(', idempotencyKey: $idempotencyKey', '')}${PLAN}` },
      /the mutation must have the variable \$idempotencyKey/,
    ],
    ['no __typename', { 'act.graphql': MUTATION.replace('__typename ', '') + PLAN }, /quoteConfirm must select __typename/],
    [
      'a reserved variable',
      { 'who.graphql': '# x\nquery who($confirmation: ID!) { customer(id: $confirmation) { id } }' },
      /the variable \$confirmation is reserved by the server/,
    ],
    [
      'a misspelled condition',
      { 'act.graphql': MUTATION + PLAN.replace('{ id }', '{ status @require(is: "CONCEPT", message: "No.") }') },
      /act\.graphql: @require has no argument is, only field, otherwise, in,/,
    ],
    [
      'a condition without a message',
      { 'act.graphql': MUTATION + PLAN.replace('{ id }', '{ status @require(in: ["CONCEPT"]) }') },
      /@require must have the argument message/,
    ],
    [
      'a condition on an unknown argument',
      { 'act.graphql': MUTATION + PLAN.replace('{ id }', '{ id @require(in: [$other], message: "No.") }') },
      /@require uses \$other, which isn’t an argument of the tool/,
    ],
    ['an unknown directive', { 'act.graphql': MUTATION + PLAN.replace('{ id }', '{ id @demand }') }, /Unknown directive "@demand"/],
    ['two problems', { 'a.graphql': '{', 'b.graphql': '{' }, /a\.graphql: [\s\S]*b\.graphql: /],
    ['no files', {}, /MCP_DOCUMENTS must be a folder of \.graphql files/],
  ])('prevents the graph from starting with %s', async (_title, files, message) => {
    await expect(startGraphWithDocuments(files as Record<string, string>)).rejects.toThrow(message);
  });

  it('requires a folder', async () => {
    await expect(startGraphWithDocuments({}, { MCP_DOCUMENTS: '/nowhere' })).rejects.toThrow(
      /MCP_DOCUMENTS must be a folder, but \/nowhere doesn’t exist/,
    );
  });

  it('rejects a document that exceeds the cost limit', async () => {
    const text =
      '# x\nquery wide { customers(first: 100) { nodes { orders(first: 100) { nodes { payments(first: 100) { nodes { refunds(first: 9) { nodes { id } } } } } } } } }';
    await expect(startGraphWithDocuments({ 'wide.graphql': text })).rejects.toThrow(
      /wide\.graphql: This operation may require more than 10000 upstream calls/,
    );
  });
});

/** Makes the protocol package unresolvable in a process, as if the optional peer dependency weren't installed. */
const WITHOUT_PACKAGE = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ resolve(name, context, next) {
  if (name === '@modelcontextprotocol/server') throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
} });`.replaceAll('\n', ' ');

describe('tool document', () => {
  it('returns a title and a description, or a title derived from its name', async () => {
    const titled = QUERY.replace('# Returns the current user', '# Who am I\n#\n# Returns the workspace.\n# Returns the current user');
    const testGraph = await startGraphWithDocuments({
      'who.graphql': titled,
      'who_else.graphql': QUERY.replace('query who', 'query who_else'),
    });
    const { client, close } = await connectTools(testGraph.app.url, 'demo-owner');
    const { tools } = await client.listTools();
    expect(tools.map(({ title, description }) => [title, description])).toEqual([
      ['Who am I', 'Returns the workspace. Returns the current user.'],
      ['Who else', 'Returns the current user.'],
    ]);
    await close();
    await testGraph.close();
  });
});

describe('missing MCP package', () => {
  it('exits with an instruction to install it if tools are enabled', async () => {
    const env = { ...process.env, MCP: 'true', PORT: '0', LEDGER_URL: 'file::memory:' };
    const ended = promisify(execFile)(process.execPath, ['--import', WITHOUT_PACKAGE, 'src/main.ts'], { env, timeout: PROGRAM_MS });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^MCP=true requires the package @modelcontextprotocol\/server, which can’t be loaded\. Install/),
    });
  });
});
