import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../teeth/faults.ts';

describe('test/teeth/main.ts', () => {
  it.each(FAULTS)('can seed the fault: $name', ({ file, find, tests }) => {
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
    for (const test of tests) expect(() => readFileSync(test)).not.toThrow();
  });
});
