// Runs the steps of the release workflow in a copy of this checkout, without publishing anything: `node scripts/release/dryRun.ts`. Replaces those that install programs and
// packages, and without buildah also the one that builds the image. Needs no network, except for the image and the packages of the website. Exits with 1 if a step fails.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMissingPrograms } from '../../deploy/image/programs.ts';
import { readJson } from './pack/files.ts';
import { copyCheckout, runReleaseSteps } from './steps.ts';

const { version } = readJson<{ readonly version: string }>('package.json');
const folder = mkdtempSync(join(tmpdir(), 'release-'));
const buildsImage = findMissingPrograms(['buildah', 'runc']).length === 0;
try {
  copyCheckout(folder);
  const results = runReleaseSteps(folder, { tag: `v${version}`, buildsImage, buildsWebsite: true });
  for (const { name, status, output } of results)
    console.log(`── ${name}: ${status === 0 ? 'passed' : `failed with status ${status}`}\n${output}`);
  if (results.some(({ status }) => status !== 0)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
