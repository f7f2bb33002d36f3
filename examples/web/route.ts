import { useSyncExternalStore } from 'react';

/** Views, with their URL fragments: `#customer/C-000001`, `#day/2030-03-10`, `#work/<id>`, `#orders`, `#numbers`. */
export type View = 'customer' | 'day' | 'work' | 'orders' | 'numbers';

interface Route {
  readonly view: View;
  /** Reference number, day, or ID of the displayed record. Empty if none is selected. */
  readonly id: string;
}

/** The URL fragment of a view, for links. */
export const createHref = (view: View, of = ''): string => (of ? `#${view}/${encodeURIComponent(of)}` : `#${view}`);

const VIEWS: readonly string[] = ['customer', 'day', 'work', 'orders', 'numbers'] satisfies readonly View[];
const isView = (text: string): text is View => VIEWS.includes(text);

function parseHash(hash: string): Route {
  const [view = '', of = ''] = hash.slice(1).split('/');
  return isView(view) ? { view, id: decodeURIComponent(of) } : { view: 'customer', id: '' };
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** The view in the current URL. */
export const useRoute = (): Route => parseHash(useSyncExternalStore(subscribe, () => location.hash));

/** Navigates to a view, like a link. */
export function goTo(view: View, of: string): void {
  location.hash = createHref(view, of);
}
