import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { partsOf, undecided } from '../../fidelity/sentence.ts';
import { SENTENCES } from '../../fidelity/sentences.ts';

const tests = [...new Set(SENTENCES.flatMap(({ tests = [] }) => tests))];
const files = [...new Set(tests.map((test) => partsOf(test).file))];

/** A title is a whole literal of the source, so that a longer title does not stand in for it. */
const hasTitle = (source: string, title: string) => ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));

describe('the sentences of the specification', () => {
  it('have either tests or a reason why there is none', () => {
    expect(undecided(SENTENCES)).toEqual([]);
  });

  it('are each said once', () => {
    const said = SENTENCES.map(({ line, says }) => `${line} ${says}`);
    expect(said.filter((sentence, at) => said.indexOf(sentence) !== at)).toEqual([]);
  });

  it('are short', () => {
    expect(SENTENCES.filter(({ says }) => says.split(' ').length > 15)).toEqual([]);
  });

  it('are about services of the contract', () => {
    const known = new Set(operations.map(({ name }) => name.split('/')[0]));
    const named = SENTENCES.flatMap(({ services }) => (services === 'all' ? [] : services));
    expect(named.filter((service) => !known.has(service))).toEqual([]);
  });

  it.each(files)('name tests of %s that are there', (file) => {
    expect(existsSync(file), `${file} is not there. Name the file that has its tests now.`).toBe(true);
    const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
    const named = tests.map(partsOf).filter((test) => test.file === file);
    expect(named.filter(({ titles }) => titles.length === 0 || !titles.every((title) => hasTitle(source, title)))).toEqual([]);
  });
});
