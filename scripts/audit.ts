// Fails on production dependencies with a known vulnerability that is high or critical. Passes where the registry does not tell.
import { spawnSync } from 'node:child_process';

/** npm waits for minutes otherwise where there is no network. */
const PATIENCE = ['--fetch-retries=0', '--fetch-timeout=20000'];

interface Report {
  /** There when the registry has answered. */
  readonly auditReportVersion?: number;
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
  /** npm's words on a registry that has not. */
  readonly message?: string;
}

function readReport(text: string): Report {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const { status, stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json', ...PATIENCE], {
  encoding: 'utf8',
});
const { auditReportVersion, vulnerabilities = {}, message } = readReport(stdout);
for (const [name, { severity, range }] of Object.entries(vulnerabilities)) console.log(`${severity}: ${name} ${range}`);
if (message) console.log(`Skipped: the registry doesn’t provide an audit. ${message}`);
else if (auditReportVersion === undefined) console.error(`npm audit failed:\n${stdout}${stderr}`);
else console.log(status === 0 ? 'No known high or critical vulnerabilities.' : 'Update or remove the affected packages.');
process.exitCode = message || (auditReportVersion !== undefined && status === 0) ? 0 : 1;
