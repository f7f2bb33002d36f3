import type { ApolloClient } from '@apollo/client';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { APPLIED, isOpen, type RowResult, type RowStatus } from '../../../cli/import/rowStore.ts';
import { formatStatus } from '../formatStatus.ts';
import { CheckedRows } from './CheckedRows.tsx';
import { explain, type ImportSettings, type PreparedImport } from './prepareImport.ts';
import { Results } from './Results.tsx';

interface CheckedFileProps {
  readonly prepared: PreparedImport;
  readonly settings: ImportSettings;
  readonly client: ApolloClient;
}

/** Rows of a run. */
interface Progress {
  readonly total: number;
  readonly sent: number;
  readonly counts: Readonly<Partial<Record<RowStatus, number>>>;
}

const number = new Intl.NumberFormat('en');
const count = (rows: number, noun = 'row') => `${number.format(rows)} ${noun}${rows === 1 ? '' : 's'}`;

/** Describes what a check found, in sentences. */
function describe({ report, isStarted, notations }: PreparedImport, hasOpen: boolean): string {
  const { rows, invalid, repeated, updates, added } = report;
  return [
    `${count(rows)}, ${invalid === 0 ? 'all valid' : `${number.format(invalid)} invalid`}.`,
    notations.length > 0 && `Numbers and dates: ${notations.join('; ')}.`,
    updates > 0 && `${count(updates)} ${updates === 1 ? 'updates' : 'update'} a record that exists.`,
    repeated > 0 &&
      `${count(repeated)} ${repeated === 1 ? 'has' : 'have'} the content of an earlier row, and ${repeated === 1 ? 'is' : 'are'} sent as well.`,
    isStarted && 'This browser has imported a file with this name before. Rows that were applied aren’t sent again.',
    !hasOpen && 'There is nothing to send.',
    added.count > 0 && `${count(added.count)} ${added.count === 1 ? 'was' : 'were'} added since then.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What screen readers announce: each quarter. */
const announce = ({ sent, total }: Progress) => `Sending: ${Math.floor((sent / total) * 4) * 25}%`;

interface OptionProps {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly children: ReactNode;
}

const Option = ({ isChecked, onChange, children }: OptionProps) => (
  <label className="option">
    <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
    {children}
  </label>
);

/** The rows of a checked file, what they lead to, and the buttons that send them. */
export function CheckedFile({ prepared, settings, client }: CheckedFileProps) {
  const { report, doubtful, isDurable, isStarted, run } = prepared;
  const [skipsInvalid, setSkipsInvalid] = useState(false);
  const [allowsVolatile, setAllowsVolatile] = useState(false);
  const [sendsNew, setSendsNew] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [isStopping, setIsStopping] = useState(false);
  const [ending, setEnding] = useState<{ readonly text: string; readonly hasFailed: boolean } | null>(null);
  const stop = useRef<AbortController>(null);
  const section = useRef<HTMLElement>(null);
  const isRunning = progress !== null;
  useEffect(() => () => stop.current?.abort(), []);
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button that was clicked may no longer exist, so the focus would be lost
  useLayoutEffect(() => {
    if (document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, [isRunning]);

  const rows = prepared.list();
  const open = rows.filter(isOpen).length;
  const applied = rows.filter(({ status }) => APPLIED.has(status)).length;
  const isReady = open > 0 && !isRunning;
  const wasStarted = isStarted || rows.some(({ status, sentAt }) => sentAt !== null || status === 'FAILED' || status === 'RETRY');
  const tone = applied === rows.length ? 'notice succeeded' : undefined;
  const canSend = (report.invalid === 0 || skipsInvalid) && (isDurable || allowsVolatile) && (doubtful === null || sendsNew);

  const send = async () => {
    const controller = new AbortController();
    stop.current = controller;
    setEnding(null);
    setIsStopping(false);
    let current: Progress = { total: open, sent: 0, counts: {} };
    setProgress(current);
    // Other views must not display lists without the new records.
    await client.clearStore();
    const onRow = ({ status }: RowResult) => {
      const { total, sent, counts } = current;
      current = { total, sent: sent + 1, counts: { ...counts, [status]: (counts[status] ?? 0) + 1 } };
      setProgress(current);
    };
    await run(controller.signal, onRow).then(
      () => setEnding({ text: controller.signal.aborted ? 'Stopped.' : 'Finished.', hasFailed: false }),
      (error: unknown) => setEnding({ text: explain(error), hasFailed: true }),
    );
    setProgress(null);
  };

  const halt = () => {
    stop.current?.abort();
    setIsStopping(true);
  };

  return (
    <>
      <section className="card" aria-labelledby="import-check" tabIndex={-1} ref={section}>
        <h3 id="import-check">{settings.file.name}</h3>
        <p>{describe(prepared, open > 0 || isRunning || ending !== null)}</p>
        {report.invalid > 0 && isReady && (
          <Option isChecked={skipsInvalid} onChange={setSkipsInvalid}>
            Skip invalid rows
          </Option>
        )}
        {doubtful !== null && isReady && (
          <>
            <p className="notice failed">{doubtful}</p>
            <Option isChecked={sendsNew} onChange={setSendsNew}>
              Send the new rows
            </Option>
          </>
        )}
        {!isDurable && isReady && (
          <>
            <p className="notice failed">
              This graph stores idempotency keys in memory. If it restarts before all outcomes are known, rows could be applied twice.
            </p>
            <Option isChecked={allowsVolatile} onChange={setAllowsVolatile}>
              Import anyway
            </Option>
          </>
        )}
        {isReady && (
          <p className="buttons">
            <button type="button" disabled={!canSend} onClick={() => void send()}>
              {wasStarted ? 'Continue with' : 'Import'} {count(open)}
            </button>
          </p>
        )}
        {isRunning && (
          <p className="buttons">
            <button type="button" className="quiet" disabled={isStopping} onClick={halt}>
              {isStopping ? 'Stopping after the rows in flight…' : 'Stop'}
            </button>
          </p>
        )}
        {progress && <Sending {...progress} />}
        <div role="status">
          {progress && <p className="visually-hidden">{announce(progress)}</p>}
          {ending && (
            <p className={ending.hasFailed ? 'notice failed' : tone}>
              {ending.text} {number.format(applied)} of {count(rows.length)} {rows.length === 1 ? 'is' : 'are'} applied.{' '}
              {open > 0 && `${count(open)} can be sent or checked again.`}
            </p>
          )}
        </div>
      </section>
      {wasStarted && rows.length > 0 && !isRunning && <Results rows={rows} pacer={prepared.pacer} fileName={settings.file.name} />}
      <CheckedRows prepared={prepared} />
    </>
  );
}

/** The progress of a run, for people who see it. */
function Sending({ sent, total, counts }: Progress) {
  const results = Object.entries(counts).map(([status, rows]) => `${number.format(rows)} ${formatStatus(status)}`);
  return (
    <>
      <progress aria-label="Rows sent" max={total} value={sent} />
      <p aria-hidden="true">
        {number.format(sent)} of {count(total)} sent{results.length > 0 && `: ${results.join(', ')}`}
      </p>
    </>
  );
}
