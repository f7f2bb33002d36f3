import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(path, 'utf8');

/** Heap in MB for which the limits of docs/reliability.md#memory-limits are meant. */
const HEAP_MB = 384;

describe('memory of a process', () => {
  const { env, resources } = parse(read('deploy/base/deployment.yaml')).spec.template.spec.containers[0];

  it('has the documented limits in the manifests', () => {
    expect(env).toContainEqual({ name: 'NODE_OPTIONS', value: `--max-old-space-size=${HEAP_MB}` });
    expect([resources.requests.memory, resources.limits.memory]).toEqual([`${HEAP_MB}Mi`, `${2 * HEAP_MB}Mi`]);
  });

  it('has one figure in the documentation', () => {
    const documented = read('docs/reliability.md');
    expect(documented).toContain(`NODE_OPTIONS=--max-old-space-size=${HEAP_MB}\``);
    expect(documented).toContain(`request ${HEAP_MB} Mi and set a limit of ${2 * HEAP_MB} Mi`);
    expect(read('docs/telemetry.md')).toContain(`NODE_OPTIONS=--max-old-space-size=${HEAP_MB} --import=`);
  });

  it('limits the fuzz test', () => {
    expect(JSON.parse(read('package.json')).scripts.fuzz).toContain(` --max-old-space-size=${HEAP_MB} `);
    expect(read('.ci/run')).toContain('npm run --silent fuzz ');
  });
});
