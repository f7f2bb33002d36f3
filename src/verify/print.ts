import type { Finding } from './finding.ts';
import { overlayText } from './proposal.ts';
import { MAX_CALLS, type Report } from './verify.ts';

type Of<Verdict extends Finding['verdict']> = Extract<Finding, { verdict: Verdict }>;

const only = <Verdict extends Finding['verdict']>({ findings }: Report, verdict: Verdict): readonly Of<Verdict>[] =>
  findings.filter((finding): finding is Of<Verdict> => finding.verdict === verdict);

/** Messages of the contract with the number of confirmed fields. */
function confirmedByMessage(report: Report): string[] {
  const members = report.findings.filter(({ coordinate }) => coordinate.includes('.'));
  return [...Map.groupBy(members, ({ coordinate }) => coordinate.slice(0, coordinate.indexOf('.')))].map(([message, findings]) => {
    const confirmed = findings.filter(({ verdict }) => verdict === 'CONFIRMED').length;
    return `${message}: ${confirmed} of ${findings.length}`;
  });
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

/** Operations that weren't reached, as lines. */
function unreachedLines(report: Report): string[] {
  const operations = only(report, 'UNREACHED').filter(({ coordinate }) => coordinate.includes('/'));
  return operations.map(({ coordinate, reason, detail }) => `${coordinate}  ${reason}${detail ? ` (${detail})` : ''}`);
}

/** Coordinates from which the same drift is grouped. Chosen: a maximum page size of all lists is one problem. */
const MANY = 4;

/** Drift as lines. The same drift of many coordinates is printed once, above them. */
function driftLines(report: Report): string[] {
  const alike = Map.groupBy(only(report, 'DRIFT'), ({ kind, detail }) => `${kind}  ${detail}`);
  return [...alike].flatMap(([drift, drifts]) => {
    if (drifts.length < MANY) return drifts.map(({ coordinate, count }) => `${coordinate}  ${drift} (${count})`);
    return [`${drifts.length} coordinates  ${drift}`, ...drifts.map(({ coordinate, count }) => `  ${coordinate} (${count})`)];
  });
}

/** How to get a complete run, if this one ended early. */
function cutLines({ calls, keptBack, cutBy }: Report): string[] {
  if (cutBy === null) return [];
  const more = `A full run needs at least ${keptBack} more calls.`;
  return [
    cutBy === 'MAX_CALLS'
      ? `${more} Use --max-calls ${Math.max(MAX_CALLS, calls + keptBack)}.`
      : `${more} The rate limit is down to --reserve; use --wait to continue in the next window.`,
  ];
}

function latencyLines({ latencies }: Report): string[] {
  const width = Math.max(0, ...latencies.map(({ service }) => service.length));
  return latencies.map(
    ({ service, calls, p50Ms, p95Ms }) =>
      `${service.padEnd(width)}  p50 ${p50Ms}  p95 ${p95Ms}  (${calls} ${calls === 1 ? 'call' : 'calls'})`,
  );
}

const NEXT_STEPS = `
To write it, use --propose FILE. Then run verify again with --overlay FILE --propose FILE, because correct names can reveal more drift.
To apply it, start the graph with CONTRACT_OVERLAY=FILE.`;

/** A report as text, for people. */
export function asText(report: Report): string {
  const { facts, settled, overlay } = report;
  const wrong = settled.filter(({ isRight }) => !isRight);
  const lines = [
    `${only(report, 'DRIFT').length} drifts, ${only(report, 'UNKNOWN').length} unknown fields, ${only(report, 'CONFIRMED').length} confirmed fields. Sent ${report.calls} calls.`,
    ...cutLines(report),
    `Confirmed ${report.reads.confirmed} of ${report.reads.total} read operations.`,
    ...section('DRIFT', driftLines(report)),
    ...section(
      'UNKNOWN fields (not in the contract)',
      only(report, 'UNKNOWN').map(({ coordinate, count }) => `${coordinate} (${count})`),
    ),
    ...section('UNREACHED operations', unreachedLines(report)),
    ...section(
      'NEVER SEEN fields',
      only(report, 'NEVER_SEEN').map(({ coordinate }) => coordinate),
    ),
    ...section('CONFIRMED fields', confirmedByMessage(report)),
    ...section('Latency of the upstream, in milliseconds', latencyLines(report)),
    ...section(
      'Facts',
      facts.map(({ subject, result }) => `${subject}: ${result}`),
    ),
    '',
    `Assumptions checked: ${settled.length - wrong.length} correct, ${wrong.length} wrong`,
    ...wrong.map(({ kind, of }) => `  ${of} (${kind})`),
    ...section('Proposed contract overlay', overlay ? overlayText(overlay).trimEnd().split('\n') : []),
    ...(overlay ? [NEXT_STEPS] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** A report as JSON, for programs. */
export const asJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;

const xmlText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function testCase(finding: Finding): string {
  const { coordinate, verdict } = finding;
  const head = `<testcase classname="${xmlText(coordinate.split(/[./]/)[0] ?? '')}" name="${xmlText(coordinate)}"`;
  if (verdict === 'DRIFT') return `    ${head}><failure type="${finding.kind}" message="${xmlText(finding.detail)}"/></testcase>`;
  if (verdict === 'UNREACHED') return `    ${head}><skipped message="${finding.reason}"/></testcase>`;
  return verdict === 'CONFIRMED' ? `    ${head}/>` : `    ${head}><skipped message="${verdict}"/></testcase>`;
}

/** A report as JUnit XML, for build servers: drift is a failure, and everything unconfirmed is skipped. */
export function asJunit(report: Report): string {
  const { findings } = report;
  const failures = only(report, 'DRIFT').length;
  const skipped = findings.length - failures - only(report, 'CONFIRMED').length;
  const counts = `tests="${findings.length}" failures="${failures}" skipped="${skipped}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="contract" ${counts}>`,
    ...findings.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
