const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A timestamp in the browser's time zone. A dash if there is none. */
export function Timestamp({ at }: { readonly at: string | null }) {
  return at ? <time dateTime={at}>{FORMAT.format(new Date(at))}</time> : '—';
}
