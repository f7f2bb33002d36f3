import { useSyncExternalStore } from 'react';

const VIEWS = ['customer', 'day', 'work', 'orders', 'stock', 'numbers', 'import'] as const;

/**
 * Views, with their URL fragments: `#customer?q=jansen`, `#customer/C-000001`, `#day/2030-03-10`, `#work/<id>`, `#orders/<id>?q=solar&currency=EUR`,
 * `#stock?q=inverter`, `#stock?code=<barcode>`, `#stock/<product ID>`, `#numbers`,
 * `#import/customerCreate`.
 */
export type View = (typeof VIEWS)[number];

/** The view of a URL without a fragment. */
const DEFAULT_VIEW = 'customer';

/** Search texts and filters of a view. Empty ones aren't part of the URL. */
type SearchParameters = Readonly<Record<string, string | undefined>>;

/** What the URL shows. */
export interface Route {
  /** Null if the URL names none. */
  readonly view: View | null;
  /** Reference number, day, ID of the displayed record, or mutation. Empty if none is selected. */
  readonly id: string;
  readonly parameters: SearchParameters;
}

/** The URL fragment of a view, for links. */
export function createHref(view: View, id = '', parameters: SearchParameters = {}): string {
  const search = new URLSearchParams(Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();
  return `#${view}${id && `/${encodeURIComponent(id)}`}${search && `?${search}`}`;
}

/** A decoded part of a URL. Null if it's malformed. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const isView = (text: string): text is View => VIEWS.some((view) => view === text);

function parseHash(hash: string): Route {
  const [path = '', search] = hash.slice(1).split('?');
  const [name, encodedId = ''] = path.split('/');
  const view = name || DEFAULT_VIEW;
  const id = decode(encodedId);
  if (id === null || !isView(view)) return { view: null, id: '', parameters: {} };
  return { view, id, parameters: Object.fromEntries(new URLSearchParams(search)) };
}

const listeners = new Set<() => void>();

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  addEventListener('hashchange', onChange);
  return () => {
    listeners.delete(onChange);
    removeEventListener('hashchange', onChange);
  };
}

/** The view in the current URL. */
export const useRoute = (): Route => parseHash(useSyncExternalStore(subscribe, () => location.hash));

/** Displays the view at once. The browser's event follows later, after a key that was pressed in the meantime. */
function notify(): void {
  for (const onChange of listeners) onChange();
}

/** Navigates to a view, like a link. */
export function goTo(...target: Parameters<typeof createHref>): void {
  location.hash = createHref(...target);
  notify();
}

/** Replaces the URL without adding it to the history, so that typing a search text adds no entries. */
export function replaceRoute(...target: Parameters<typeof createHref>): void {
  location.replace(createHref(...target));
  notify();
}
