import type { SessionTrace } from '../traffic/callTrace.ts';

/** How a session differs from that of a usual request. */
export interface SessionOptions {
  /** Changes pass all checks, and are then not sent: `Session.rehearsed` names the first. */
  readonly isRehearsal?: boolean;
  /** Whether calls fail until the session has been admitted: an operation whose cost is zero must send none. */
  readonly requiresAdmission?: boolean;
  /** `traceparent` header that the calls of the session are sent with; a shared read has that of the request which asked first. */
  readonly traceparent?: string | null;
  /** Recorder of the session's calls, which then are sent with headers of its own in place of `traceparent`. */
  readonly trace?: SessionTrace | null;
}

/** Ends a change that was only rehearsed, where it would have been sent. No failure: nobody is told. */
export const REHEARSED = new Error('The write wasn’t sent, because this is a rehearsal.');
