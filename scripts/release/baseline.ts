// Writes the baselines that later changes are compared with: the contract, the schema for clients, and the schema for composition of this release, in `released`.
// With `--check`, fails if they aren't those of the release that CHANGELOG.md starts with. The check passes while it starts with `Unreleased`.
import '../help.ts';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSections } from './changelog.ts';
import { run } from './pack/files.ts';

const FOLDER = 'released';
const SCHEMAS = ['schema.graphql', 'subgraph.graphql'];

function writeBaselines(folder: string): void {
  run(process.execPath, ['scripts/install.ts', 'scripts/codegen']);
  run('scripts/codegen/node_modules/.bin/buf', ['build', 'proto', '--exclude-source-info', '-o', join(folder, 'contract.binpb')]);
  for (const file of SCHEMAS) copyFileSync(file, join(folder, file));
}

function findOutdated(): string[] {
  const current = mkdtempSync(join(tmpdir(), 'baseline-'));
  try {
    writeBaselines(current);
    return ['contract.binpb', ...SCHEMAS].filter((file) => !readFileSync(join(current, file)).equals(readFileSync(join(FOLDER, file))));
  } finally {
    rmSync(current, { recursive: true });
  }
}

const [top] = parseSections(readFileSync('CHANGELOG.md', 'utf8'));
if (!process.argv.includes('--check')) writeBaselines(FOLDER);
else if (top?.title !== 'Unreleased') {
  const outdated = findOutdated();
  for (const file of outdated)
    console.error(
      `${FOLDER}/${file} isn’t the baseline of ${top?.title}, with which CHANGELOG.md starts. If that version isn’t tagged yet, run node scripts/release/baseline.ts. Otherwise, describe the change in a new section Unreleased.`,
    );
  if (outdated.length > 0) process.exitCode = 1;
}
