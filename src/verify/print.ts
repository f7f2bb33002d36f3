import { escapeText } from '../lib/printableText.ts';
import type { Finding } from './finding.ts';
import { formatOverlay } from './proposal.ts';
import { MAX_CALLS, type Report } from './verify.ts';

type FindingWith<Verdict extends Finding['verdict']> = Extract<Finding, { verdict: Verdict }>;

const filterByVerdict = <Verdict extends Finding['verdict']>({ findings }: Report, verdict: Verdict): readonly FindingWith<Verdict>[] =>
  findings.filter((finding): finding is FindingWith<Verdict> => finding.verdict === verdict);

/** Messages of the contract with the number of confirmed fields. */
function formatConfirmed(report: Report): string[] {
  const members = report.findings.filter(({ coordinate }) => coordinate.includes('.'));
  return [...Map.groupBy(members, ({ coordinate }) => coordinate.slice(0, coordinate.indexOf('.')))].map(([message, findings]) => {
    const confirmed = findings.filter(({ verdict }) => verdict === 'CONFIRMED').length;
    return `${message}: ${confirmed} of ${findings.length}`;
  });
}

const formatSection = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

/** Operations that weren't reached, as lines. */
function formatUnreached(report: Report): string[] {
  const operations = filterByVerdict(report, 'UNREACHED').filter(({ coordinate }) => coordinate.includes('/'));
  return operations.map(({ coordinate, reason, detail }) => `${coordinate}  ${reason}${detail ? ` (${detail})` : ''}`);
}

/** Minimum number of coordinates with the same drift that are grouped. Chosen: the same maximum page size of all lists is one problem. */
const MIN_GROUPED = 4;

/** Drift as lines. The same drift of many coordinates is printed once, above them. */
function formatDrift(report: Report): string[] {
  const groups = Map.groupBy(filterByVerdict(report, 'DRIFT'), ({ kind, detail }) => `${kind}  ${detail}`);
  return [...groups].flatMap(([drift, drifts]) => {
    if (drifts.length < MIN_GROUPED) return drifts.map(({ coordinate, count }) => `${coordinate}  ${drift} (${count})`);
    return [`${drifts.length} coordinates  ${drift}`, ...drifts.map(({ coordinate, count }) => `  ${coordinate} (${count})`)];
  });
}

/** How to get a complete run if this one was limited. */
function formatLimit({ calls, keptBack: withheld, cutBy }: Report): string[] {
  if (cutBy === null) return [];
  const more = `A full run needs at least ${withheld} more calls.`;
  return [
    cutBy === 'MAX_CALLS'
      ? `${more} Use --max-calls ${Math.max(MAX_CALLS, calls + withheld)}.`
      : `${more} The rate limit is down to --reserve; use --wait to continue in the next window.`,
  ];
}

const NEXT_STEPS = `
To write it, use --propose FILE. Then run verify again with --overlay FILE --propose FILE, because correct names can reveal more drift.
To apply it, start the graph with CONTRACT_OVERLAY=FILE.`;

/** Formats a report as text, for people. */
export function formatText(report: Report): string {
  const { facts, settled, overlay } = report;
  const wrong = settled.filter(({ isRight }) => !isRight);
  const lines = [
    `${filterByVerdict(report, 'DRIFT').length} drifts, ${filterByVerdict(report, 'UNKNOWN').length} unknown fields, ${filterByVerdict(report, 'CONFIRMED').length} confirmed fields. Sent ${report.calls} calls.`,
    ...formatLimit(report),
    `Confirmed ${report.reads.confirmed} of ${report.reads.total} read operations.`,
    ...formatSection('DRIFT', formatDrift(report)),
    ...formatSection(
      'UNKNOWN fields (not in the contract)',
      filterByVerdict(report, 'UNKNOWN').map(({ coordinate, count }) => `${coordinate} (${count})`),
    ),
    ...formatSection('UNREACHED operations', formatUnreached(report)),
    ...formatSection(
      'NEVER SEEN fields',
      filterByVerdict(report, 'NEVER_SEEN').map(({ coordinate }) => coordinate),
    ),
    ...formatSection('CONFIRMED fields', formatConfirmed(report)),
    ...formatSection(
      'Facts',
      facts.map(({ subject, result }) => `${subject}: ${result}`),
    ),
    '',
    `Assumptions checked: ${settled.length - wrong.length} correct, ${wrong.length} wrong`,
    ...wrong.map(({ kind, of }) => `  ${of} (${kind})`),
    ...formatSection('Proposed contract overlay', overlay ? formatOverlay(overlay).trimEnd().split('\n') : []),
    ...(overlay ? NEXT_STEPS.split('\n') : []),
  ];
  // Names and values come from the upstream.
  return `${lines.map(escapeText).join('\n')}\n`;
}

/** Formats a report as JSON, for programs. */
export const formatJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;
