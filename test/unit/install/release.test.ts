import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findReleaseNotes, parseSections } from '../../../scripts/release/changelog.ts';

const FOLDER = '.github/workflows';
const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly version: string;
};

interface Step {
  readonly run?: string;
}

interface Workflow {
  readonly on: { readonly push: { readonly tags?: readonly string[] } };
  readonly jobs: Readonly<Record<string, { readonly uses?: string; readonly needs?: string; readonly steps?: readonly Step[] }>>;
}

const workflow = (name: string) => parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow;
const listCommands = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));

describe.each(readdirSync(FOLDER))('workflow %s', (name) => {
  it('calls existing scripts, files and workflows', () => {
    const { jobs } = workflow(name);
    const text = listCommands(workflow(name)).join('\n');
    const called = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script]) => script);
    expect(called.filter((script) => !scripts[script ?? ''])).toEqual([]);
    const files = [...text.matchAll(/(?:^|\s)(\.ci\/\w+|(?:scripts|test)\/[\w/]+(?:\.ts)?)/g)].map(([, file]) => file ?? '');
    const used = Object.values(jobs).flatMap(({ uses }) => uses ?? []);
    expect(called.length + files.length + used.length).toBeGreaterThan(0);
    expect([...files, ...used].filter((file) => !existsSync(file))).toEqual([]);
  });

  it('pins actions to commits, because tags can be moved', () => {
    const lines = readFileSync(join(FOLDER, name), 'utf8').match(/^.* uses: (?!\.\/).*$/gm) ?? [];
    expect(lines.filter((line) => !/ uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });
});

describe('release', () => {
  it('runs after all checks, and publishes only the version of the package', () => {
    const { on, jobs } = workflow('release.yml');
    expect(on.push.tags).toEqual(['v[0-9]+.[0-9]+.[0-9]+']);
    expect(jobs.publish?.needs).toBe('ci');
    const commands = listCommands(workflow('release.yml'));
    const place = (part: string) => commands.findIndex((command) => command.includes(part));
    // test/system/install/releaseSteps.test.ts runs the steps.
    const places = ['scripts/release/notes.ts', 'scripts/release/check.ts', 'npm publish'].map(place);
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(commands.filter((command) => command.startsWith('npm publish') && !command.includes(' --provenance '))).toEqual([]);
  });

  it('has a client of the same minor version, which requires that of the graph for tests', () => {
    const client = JSON.parse(readFileSync('client/package.json', 'utf8'));
    const minor = version.replace(/\.\d+$/, '');
    expect(client.version.replace(/\.\d+$/, '')).toBe(minor);
    expect(client.peerDependencies['workspace-graph']).toBe(`^${minor}.0`);
  });

  it('has a changelog entry, whose first version is that of the package or unreleased', () => {
    expect(['Unreleased', version]).toContain(parseSections(readFileSync('CHANGELOG.md', 'utf8'))[0]?.title);
    const changelog = '# Changelog\n\n## 1.2.0 (2026-11-23)\n\n- One thing.\n- Another.\n\n## 1.1.0\n\n- Before.\n';
    expect(findReleaseNotes('v1.2.0', '1.2.0', changelog)).toEqual({ text: '- One thing.\n- Another.' });
    expect(findReleaseNotes('v1.2.1', '1.2.0', changelog)).toEqual({ problem: expect.stringContaining('so the tag must be v1.2.0') });
    expect(findReleaseNotes('v1.3.0', '1.3.0', changelog)).toEqual({
      problem: expect.stringContaining('starts with 1.2.0, expected 1.3.0'),
    });
    expect(findReleaseNotes('v1.3.0', '1.3.0', '## 1.3.0\n\n## 1.2.0\n- x')).toEqual({
      problem: expect.stringContaining('has no notes for 1.3.0'),
    });
  });
});
