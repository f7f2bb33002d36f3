// Fails if a production dependency has a known vulnerability that is high or critical. Passes if the registry doesn't provide an audit.
import { spawnSync } from 'node:child_process';

/** Without these, npm waits for minutes if there is no network. */
const NETWORK_OPTIONS = ['--fetch-retries=0', '--fetch-timeout=20000'];

interface Report {
  /** Set if the registry responded. */
  readonly auditReportVersion?: number;
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
  /** npm's error message if the registry didn't respond. */
  readonly message?: string;
}

function readReport(text: string): Report {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const { status, stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json', ...NETWORK_OPTIONS], {
  encoding: 'utf8',
});
const { auditReportVersion, vulnerabilities = {}, message } = readReport(stdout);
for (const [name, { severity, range }] of Object.entries(vulnerabilities)) console.log(`${severity}: ${name} ${range}`);
if (message) console.log(`Skipped: the registry doesn’t provide an audit. ${message}`);
else if (auditReportVersion === undefined) console.error(`npm audit failed:\n${stdout}${stderr}`);
else console.log(status === 0 ? 'No known high or critical vulnerabilities.' : 'Update or remove the affected packages.');
process.exitCode = message || (auditReportVersion !== undefined && status === 0) ? 0 : 1;
