import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout, runReleaseSteps } from '../../../scripts/release/steps.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly repository: { readonly url: string };
};
const tag = `v${version}`;

const NOTES = 'Extract the release notes';
const CHECK = 'Check that the versions can be published';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  copyCheckout(folder);
});

// The tests of the checkout contain demo keys, which the search for secrets after the run would report.
afterAll(() => rmSync(folder, { recursive: true }));

/** The changelog of this checkout, with its first section released as the version. */
const readReleasedChangelog = (): string => readFileSync('CHANGELOG.md', 'utf8').replace(/^## Unreleased$/m, `## ${version} (2026-11-26)`);

describe('steps of the release workflow', () => {
  it.each([
    { name: 'the tag of another version', options: { tag: 'v99.0.0' }, step: NOTES, message: `so the tag must be ${tag}` },
    { name: 'a version without notes', changelog: `# Changelog\n\n## ${version}\n`, step: NOTES, message: `has no notes for ${version}` },
    { name: 'notes that aren’t released', changelog: '## Unreleased\n\n- x\n', step: NOTES, message: 'Rename the Unreleased section' },
    { name: 'a published version', options: { tag, isPublished: true }, step: CHECK, message: `${version} is already published` },
  ])('reject $name before anything is built', ({ options = { tag }, changelog = readReleasedChangelog(), step, message }) => {
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
    const { name, status, output } = runReleaseSteps(folder, options).at(-1) ?? {};
    expect({ name, status, output }).toEqual({ name: step, status: 1, output: expect.stringContaining(message) });
    expect(readdirSync(folder)).not.toContain('build');
  });

  it('reject packages that name another repository than the one that publishes them', () => {
    writeFileSync(join(folder, 'CHANGELOG.md'), readReleasedChangelog());
    const client = JSON.parse(readFileSync('client/package.json', 'utf8'));
    writeFileSync(
      join(folder, 'client/package.json'),
      JSON.stringify({ ...client, repository: { type: 'git', url: 'git+https://other.example/fork.git' } }),
    );
    expect(runReleaseSteps(folder, { tag }).at(-1)).toEqual({
      name: CHECK,
      status: 1,
      output: expect.stringContaining('client/package.json has the repository git+https://other.example/fork.git'),
    });
  });

  it(
    'publish both packages, the image, and the website, and create a release with their SBOMs, the image, and checksums',
    () => {
      writeFileSync(join(folder, 'CHANGELOG.md'), readReleasedChangelog());
      cpSync('client/package.json', join(folder, 'client/package.json'));
      const results = runReleaseSteps(folder, { tag });
      expect(results.filter(({ status }) => status !== 0)).toEqual([]);
      expect(results.map(({ name }) => name)).toEqual([
        'Install dependencies',
        NOTES,
        CHECK,
        'Build the packages',
        'Install the tools for the image',
        'Build the image, and start it',
        'Collect the files and their checksums',
        'Publish to npm',
        'Publish the client to npm',
        'Push the image',
        'Create the GitHub release',
        'Install the dependencies of the website',
        'Build the website',
      ]);
      const outputs = new Map(results.map(({ name, output }) => [name, output]));
      expect(outputs.get('Publish to npm')).toContain(`+ workspace-graph@${version}`);
      expect(outputs.get('Publish the client to npm')).toContain(`+ @workspace-graph/client@${version}`);
      const image = `oci-archive:build/release/workspace-graph-image-${version}.oci.tar docker://ghcr.io${new URL(repository.url.replace('git+', '')).pathname.replace('.git', '')}:${version}`;
      expect(outputs.get('Push the image')).toContain(image);
      expect(outputs.get('Build the website')).toContain('https://docs.example');
      const files = readdirSync(join(folder, 'build/release')).sort();
      expect(files).toEqual([
        'SHA256SUMS',
        `workspace-graph-${version}.cdx.json`,
        `workspace-graph-${version}.tgz`,
        `workspace-graph-client-${version}.cdx.json`,
        `workspace-graph-client-${version}.tgz`,
        `workspace-graph-image-${version}.cdx.json`,
        `workspace-graph-image-${version}.digest`,
        `workspace-graph-image-${version}.oci.tar`,
      ]);
      const uploaded = files.map((file) => `build/release/${file}`).join(' ');
      expect(outputs.get('Create the GitHub release')).toContain(`gh release create ${tag} --verify-tag --notes-file notes.md ${uploaded}`);
      expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toMatch(/^### Added$/m);
      const { status, stdout } = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], {
        cwd: join(folder, 'build/release'),
        encoding: 'utf8',
      });
      expect([status, stdout.match(/: OK$/gm)?.length]).toEqual([0, files.length - 1]);
    },
    LONG_TEST_MS,
  );
});
