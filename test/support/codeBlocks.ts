import { Kind, parse } from 'graphql';
import { docPages } from './docPages.ts';
import { type CodeBlock, listCodeBlocks } from './markdown.ts';
import { parseShellCommands } from './shellCommands.ts';

/** The code blocks of all pages. */
export const codeBlocks: readonly CodeBlock[] = [...docPages].flatMap(([file, page]) => listCodeBlocks(page, file));

/** How tests check a code block. */
interface Check {
  /** Whether its code runs (and its output is compared), or only compiles. */
  readonly outcome: 'executed' | 'compiled';
  /** The test that uses the blocks of this check. */
  readonly test: string;
  readonly matches: (block: CodeBlock) => boolean;
}

const isPart = (language: string, file: string) => (block: CodeBlock) => block.language === language && block.place.startsWith(`${file}:`);

const getPrevious = (block: CodeBlock): CodeBlock | undefined => codeBlocks[codeBlocks.indexOf(block) - 1];

/** The kinds of the definitions of a GraphQL document. Empty if the block is only a part of one. */
function listKinds({ text }: CodeBlock): readonly Kind[] {
  try {
    return parse(text).definitions.map(({ kind }) => kind);
  } catch {
    return [];
  }
}

const EXECUTABLE: readonly Kind[] = [Kind.OPERATION_DEFINITION, Kind.FRAGMENT_DEFINITION];

const isOperation = (block: CodeBlock): boolean => {
  const kinds = block.language === 'graphql' ? listKinds(block) : [];
  return kinds.length > 0 && kinds.every((kind) => EXECUTABLE.includes(kind));
};

const isShell = ({ language, text }: CodeBlock, isRight: (program: string) => boolean): boolean =>
  language === 'sh' && parseShellCommands(text).every(({ words: [program = ''] }) => isRight(program));

const isRequest = (block: CodeBlock) => isShell(block, (program) => program === 'curl');

/** Whether the block is a JSON object with these members. */
const hasMembers = ({ language, text }: CodeBlock, ...names: readonly string[]): boolean =>
  language === 'json' && names.every((name) => Object.hasOwn(JSON.parse(text), name));

const BLOCKS = 'test/graph/docs/codeBlocks.test.ts';
const SETUPS = 'test/graph/docs/setups.test.ts';
const COMMANDS = 'test/system/docs/commands.test.ts';

/** The first check that matches a block applies. */
const CHECKS = {
  supergraph: {
    outcome: 'executed',
    test: 'test/interop/supergraph/supergraph.test.ts',
    matches: ({ place }) => place.startsWith('examples/supergraph/'),
  },
  'client package': {
    outcome: 'executed',
    test: 'test/system/install/client.test.ts',
    matches: (block) => isPart('sh', 'client/README.md')(block) && !block.text.startsWith('npx workspace-graph'),
  },
  source: { outcome: 'compiled', test: BLOCKS, matches: ({ language }) => ['ts', 'tsx', 'proto'].includes(language) },
  'plan of a tool': { outcome: 'executed', test: BLOCKS, matches: isPart('graphql', 'docs/agents.md') },
  operation: { outcome: 'executed', test: BLOCKS, matches: isOperation },
  'type of another subgraph': {
    outcome: 'compiled',
    test: 'test/interop/supergraph/composition.test.ts',
    matches: (block) => isPart('graphql', 'docs/supergraph.md')(block) && listKinds(block).includes(Kind.OBJECT_TYPE_DEFINITION),
  },
  'part of a document': { outcome: 'compiled', test: BLOCKS, matches: ({ language }) => language === 'graphql' },
  sql: { outcome: 'executed', test: BLOCKS, matches: ({ language }) => language === 'sql' },
  'SQL error': { outcome: 'executed', test: BLOCKS, matches: ({ language, text }) => language === 'text' && text.startsWith('line ') },
  variables: {
    outcome: 'executed',
    test: BLOCKS,
    matches: (block) =>
      block.language === 'json' && block.isAttached && getPrevious(block)?.language === 'graphql' && !hasMembers(block, 'data'),
  },
  cost: { outcome: 'executed', test: BLOCKS, matches: ({ exampleName }) => exampleName !== undefined },
  'tool call': { outcome: 'executed', test: BLOCKS, matches: (block) => hasMembers(block, 'name', 'arguments') },
  'tool result': {
    outcome: 'executed',
    test: BLOCKS,
    matches: (block) => isPart('json', 'docs/agents.md')(block) && !hasMembers(block, 'mcpServers'),
  },
  response: {
    outcome: 'executed',
    test: BLOCKS,
    matches: (block) => {
      const previous = getPrevious(block);
      return hasMembers(block, 'data') && previous !== undefined && (isRequest(previous) || isOperation(previous));
    },
  },
  'MCP host': { outcome: 'executed', test: BLOCKS, matches: (block) => hasMembers(block, 'mcpServers') },
  'log line': { outcome: 'executed', test: SETUPS, matches: (block) => hasMembers(block, 'level', 'msg') },
  'sign-in': { outcome: 'executed', test: SETUPS, matches: ({ place }) => place.startsWith('docs/sign-in.md:') },
  import: {
    outcome: 'executed',
    test: 'test/graph/import/documentation.test.ts',
    matches: ({ place }) => place.startsWith('docs/import.md:'),
  },
  relay: {
    outcome: 'executed',
    test: 'test/interop/clients/relayArtifacts.ts',
    matches: (block) => hasMembers(block, 'src', 'schema', 'language'),
  },
  overlay: { outcome: 'compiled', test: BLOCKS, matches: isPart('yaml', 'docs/overlay.md') },
  workflow: {
    outcome: 'executed',
    test: 'test/system/install/package.test.ts',
    matches: (block) => isPart('yaml', 'docs/sandbox.md')(block),
  },
  'several processes': {
    outcome: 'compiled',
    test: 'test/system/install/services.test.ts',
    matches: ({ language, place }) => place.startsWith('docs/deployment.md:') && language !== 'sh',
  },
  'path of a request': {
    outcome: 'compiled',
    test: 'test/unit/schema/layers.test.ts',
    matches: ({ language, text }) => language === 'text' && text.startsWith('POST /graphql\n'),
  },
  request: { outcome: 'executed', test: BLOCKS, matches: isRequest },
  commands: { outcome: 'executed', test: COMMANDS, matches: ({ language }) => language === 'sh' },
} as const satisfies Readonly<Record<string, Check>>;

export type CheckName = keyof typeof CHECKS;

export const checks: ReadonlyMap<string, Check> = new Map(Object.entries(CHECKS));

/** The name of a block's check. Undefined if nothing checks it. */
export const findCheck = (block: CodeBlock): string | undefined =>
  block.unchecked === undefined ? [...checks].find(([, { matches }]) => matches(block))?.[0] : undefined;

/** The blocks of a check, each with its place for the test's title. */
export const listBlocks = (name: CheckName): (readonly [string, CodeBlock])[] =>
  codeBlocks.filter((block) => findCheck(block) === name).map((block) => [block.place, block]);
