import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

const SOURCE = `${process.cwd()}/client/src`;

/** Size of a program that uses these exports of the package, minified and compressed. Other packages aren’t counted. */
async function measure(program: string): Promise<number> {
  const bundler = await rolldown({
    input: 'program',
    external: /^(?:@apollo|@urql|graphql|react|relay-runtime|wonka)/,
    treeshake: { moduleSideEffects: (id) => id.endsWith('program') },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? id : null),
        load: (id) => (id === 'program' ? program : null),
      },
    ],
  });
  const { output } = await bundler.generate({ format: 'esm', minify: true });
  await bundler.close();
  return gzipSync(output[0].code).length;
}

const from = (entry: string, exports: string) => `export ${exports} from '${SOURCE}/${entry}';`;

const CORE = from('index.ts', '*');

describe('size of a minified and compressed program', () => {
  it.each<[contents: string, program: string, maxBytes: number]>([
    ['unwrap', from('index.ts', '{ unwrap }'), 600],
    ['the core', CORE, 3000],
    ['live updates', from('live/index.ts', '*'), 1500],
    ['the core and the link for Apollo Client', `${CORE} ${from('apollo/index.ts', '{ idempotencyLink }')}`, 4000],
    ['the core and the exchange for urql', `${CORE} ${from('urql/index.ts', '{ idempotencyExchange }')}`, 4000],
    ['the core and everything for Relay', `${CORE} ${from('relay/index.ts', '*')}`, 4000],
    ['the core and everything for scripts', `${CORE} ${from('fetch/index.ts', '*')}`, 4000],
    ['the core and everything for React', `${CORE} ${from('react/index.ts', '*')}`, 4000],
    ['the cache configuration of Apollo Client', from('apollo/index.ts', '{ cacheConfig }'), 2100],
    ['the cache configuration of urql', from('urql/index.ts', '{ graphcacheConfig, newerFailuresExchange }'), 3000],
  ])('stays within the limit with %s', async (_, program, maxBytes) => {
    expect(await measure(program)).toBeLessThanOrEqual(maxBytes);
  });
});
