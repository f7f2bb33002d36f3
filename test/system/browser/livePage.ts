import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { useRecordsChanged, type WatchedRecords } from '../../../client/src/react/index.ts';

// A page that watches records. Tests control it by its global functions.

export interface LivePage {
  /** Displays a component that watches records with `useRecordsChanged`. */
  show(watched: Omit<WatchedRecords, 'headers'>, key: string): void;
  /** Removes the component. */
  hide(): void;
}

declare global {
  var livePage: LivePage;
}

const logElement = document.createElement('pre');
const rootElement = document.createElement('main');
document.body.append(rootElement, logElement);
const root = createRoot(rootElement);

function Records({ watched, apiKey }: { readonly watched: Omit<WatchedRecords, 'headers'>; readonly apiKey: string }) {
  const headers = () => ({ authorization: `Bearer ${apiKey}` });
  const error = useRecordsChanged({ ...watched, headers }, ({ ids, isTruncated }) => {
    logElement.append(`${isTruncated ? 'everything' : ids.join()}\n`);
  });
  return createElement('output', null, error?.message ?? 'watching');
}

globalThis.livePage = {
  show: (watched, key) => root.render(createElement(Records, { watched, apiKey: key })),
  hide: () => root.render(null),
};
