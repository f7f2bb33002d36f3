// Proves that the tests catch mistakes: `node test/teeth/main.ts`. Seeds one fault after another into a copy of the working tree, and runs the tests that must fail with
// it. If they pass, runs all tests of their tier, to report whether any other test catches the fault. Exits with 1 if a fault wasn't caught where expected.
// `--only <name>` selects a fault, and can be repeated. `--expected-files-only` doesn't run the whole tier if the expected files pass.
import '../../scripts/help.ts';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FAULTS, type Fault } from './faults.ts';

/** A run that takes longer hangs. All tests take a few minutes. */
const RUN_TIMEOUT_MS = 60 * 60_000;

/** Four times the usual limits: on a busy machine, a test that times out says nothing about the fault. */
const TIMEOUTS = ['--testTimeout', '120000', '--hookTimeout', '240000'];

/** Arguments that select the tests of a tier. */
const TIERS = {
  test: ['--project', 'unit', '--project', 'graph', '--project', 'sandbox'],
  'test:all': [],
} as const;

/** A test that failed. */
interface Failure {
  readonly title: string;
  readonly file: string;
  readonly message: string;
}

/** Vitest's JSON report, as far as it is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Result of a run: the first test that failed, or why no test result says anything about the fault. */
type Outcome = { readonly failure: Failure | null } | { readonly problem: string };

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'teeth-'));
/** The tree that faults are seeded into. */
const copy = join(folder, 'tree');
/** For what tests write: processes that are killed leave it behind. */
const temporary = join(folder, 'tmp');
const children = new Set<number>();

/** Ends the process groups of all children, which include Vitest's workers and the programs that tests start. */
function killChildren(): void {
  for (const pid of children) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
}

/** Runs a program in a process group of its own. Resolves to its output and exit code; -1 if it was killed. */
function run(command: string, args: readonly string[], cwd: string): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: temporary },
    });
    const { pid } = child;
    if (pid !== undefined) children.add(pid);
    const timer = setTimeout(killChildren, RUN_TIMEOUT_MS);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    }
    child.on('error', fail);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (pid !== undefined) children.delete(pid);
      done({ code: code ?? -1, output });
    });
  });
}

/** Copies the working tree to `copy`: tracked and new files, with uncommitted changes. Links `node_modules`. */
async function copyTree(): Promise<void> {
  for (const each of [copy, temporary]) mkdirSync(each);
  const { code, output } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], root);
  if (code !== 0) throw new Error(`Can’t list the files of the checkout: ${output}`);
  for (const path of output.split('\0').filter((each) => each !== '' && each !== 'node_modules')) {
    // A tracked file that was deleted is missing from the copy, too.
    try {
      cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Runs tests in the copy until the first fails. */
async function runTests(args: readonly string[]): Promise<Outcome> {
  const file = join(copy, 'teeth-report.json');
  rmSync(file, { force: true });
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const { code, output } = await run(
    process.execPath,
    [vitest, 'run', '--bail', '1', '--reporter', 'json', '--outputFile', file, ...TIMEOUTS, ...args],
    copy,
  );
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { problem: `Vitest wrote no report (exit code ${code}): ${output.trim().slice(-1_000)}` };
  }
  for (const { name, assertionResults } of report.testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (!failed) continue;
    const [message = ''] = (failed.failureMessages[0] ?? '').split('\n');
    if (/timed out in \d+ms/.test(message)) return { problem: `"${failed.fullName}" timed out. Seed a fault that fails an assertion.` };
    return { failure: { title: failed.fullName.trim(), file: name.replace(`${copy}/`, ''), message } };
  }
  // A file that can't be loaded, or a hook that fails, says nothing about behavior.
  const broken = report.testResults.find(({ status }) => status === 'failed');
  if (broken) return { problem: `${broken.name.replace(`${copy}/`, '')} failed without a failing test: ${broken.message.split('\n')[0]}` };
  return code === 0 ? { failure: null } : { problem: `Vitest exited with ${code}, but no test failed: ${output.trim().slice(-1_000)}` };
}

const read = (file: string): string => {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return '';
  }
};

/** Problems of the fault list itself, such as text that a refactoring has changed. */
function findProblems({ name, file, find, replace, tests }: Fault): readonly string[] {
  const count = read(file).split(find).length - 1;
  const advice = 'Change `find` and `replace` in test/teeth/faults.ts so that they seed the same fault into the current code.';
  if (count !== 1) return [`"${name}": the text to replace must occur once in ${file}, but occurs ${count} times: ${find}\n  ${advice}`];
  const missing = tests.filter((test) => read(test) === '');
  if (missing.length > 0) return [`"${name}": ${missing.join(', ')} doesn’t exist. Name the test file that catches the fault.`];
  return find === replace ? [`"${name}": the replacement must differ from the text that it replaces.`] : [];
}

/** Seeds a fault, and returns how the tests caught it. */
async function testFault(
  { file, find, replace, tier = 'test', tests }: Fault,
  isSearching: boolean,
): Promise<{ readonly isCaught: boolean; readonly result: string }> {
  const path = join(copy, file);
  const intact = readFileSync(path, 'utf8');
  // A function, because a replacement string may contain `$`.
  writeFileSync(
    path,
    intact.replace(find, () => replace),
  );
  try {
    const outcome = await runTests(tests);
    if ('problem' in outcome) return { isCaught: false, result: `INVALID: ${outcome.problem}` };
    if (outcome.failure) return { isCaught: true, result: `caught by "${outcome.failure.title}" in ${outcome.failure.file}` };
    if (!isSearching) return { isCaught: false, result: `NOT CAUGHT by ${tests.join(', ')}` };
    const tierOutcome = await runTests(TIERS[tier]);
    if ('problem' in tierOutcome) return { isCaught: false, result: `INVALID: ${tierOutcome.problem}` };
    if (!tierOutcome.failure) return { isCaught: false, result: 'NOT CAUGHT' };
    const { title, file: elsewhere } = tierOutcome.failure;
    return { isCaught: false, result: `CAUGHT ELSEWHERE by "${title}" in ${elsewhere}: add the file to the fault's \`tests\`` };
  } finally {
    writeFileSync(path, intact);
  }
}

const formatElapsed = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

async function main(faults: readonly Fault[], isSearching: boolean): Promise<boolean> {
  await copyTree();
  const files = [...new Set(faults.flatMap(({ tests }) => tests))];
  const start = performance.now();
  const baseline = await runTests(files);
  const problem = 'problem' in baseline ? baseline.problem : baseline.failure && `"${baseline.failure.title}": ${baseline.failure.message}`;
  if (problem) {
    console.error(`The tests must pass before faults are seeded, but failed: ${problem}`);
    return false;
  }
  console.log(`Without a fault, the ${files.length} test files pass (${formatElapsed(start)}).`);
  let caught = 0;
  for (const fault of faults) {
    const startedAt = performance.now();
    const { isCaught, result } = await testFault(fault, isSearching);
    if (isCaught) caught += 1;
    console.log(`${isCaught ? '✓' : '✗'} ${fault.name}: ${result} (${formatElapsed(startedAt)})`);
    if (!isCaught) console.log(`  seeded into ${fault.file}: ${fault.find}  →  ${fault.replace}`);
  }
  console.log(`${caught} of ${faults.length} seeded faults caught (${formatElapsed(start)})`);
  return caught === faults.length;
}

process.once('exit', () => {
  killChildren();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    'expected-files-only': { type: 'boolean', default: false },
  },
});
const selected = FAULTS.filter(({ name }) => values.only?.includes(name) ?? true);
const unknown = (values.only ?? []).filter((name) => !FAULTS.some((fault) => fault.name === name));
const problems = [
  ...unknown.map((name) => `No fault is named "${name}". test/teeth/faults.ts has the names.`),
  ...selected.flatMap(findProblems),
];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
process.exitCode = (await main(selected, !values['expected-files-only'])) ? 0 : 1;
