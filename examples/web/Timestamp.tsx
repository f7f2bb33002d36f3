const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A timestamp in the browser's time zone, or a dash if it's null. */
export function Timestamp({ at }: { readonly at: string | null }) {
  return at ? <time dateTime={at}>{FORMAT.format(new Date(at))}</time> : '—';
}
