import { useEffect, useRef, useState } from 'react';
import { type RecordsChanged, type WatchError, type WatchOptions, watchRecords } from '../live/watchRecords.ts';

/** The records to watch, and how to connect. */
export type WatchedRecords = Pick<WatchOptions, 'url' | 'types' | 'ids' | 'headers'>;

/**
 * Calls `onChange` when records may have changed, so that the component refetches them with any client library. The first call after each connection says to
 * refetch everything. Returns why live updates failed for good, and otherwise null.
 */
export function useRecordsChanged(
  { url, types, ids, headers }: WatchedRecords,
  onChange: (change: RecordsChanged) => void,
): WatchError | null {
  const [error, setError] = useState<WatchError | null>(null);
  const latest = useRef({ headers, onChange });
  useEffect(() => {
    latest.current = { headers, onChange };
  });
  // Compared by value, because components create new lists each time they render.
  const watched = JSON.stringify({ url, types, ids });
  useEffect(() => {
    setError(null);
    return watchRecords({
      ...(JSON.parse(watched) as Pick<WatchOptions, 'url' | 'types' | 'ids'>),
      headers: () => latest.current.headers?.() ?? {},
      onChange: (change) => latest.current.onChange(change),
      onError: setError,
    });
  }, [watched]);
  return error;
}
