import { useSyncExternalStore } from 'react';

/** Views of the desk, which the address names: `#customer/C-000001`, `#day/2030-03-10`, `#work/<id>`, `#numbers`. */
export type View = 'customer' | 'day' | 'work' | 'numbers';

interface Route {
  readonly view: View;
  /** Reference number, day or id of what is shown; empty when none is chosen. */
  readonly of: string;
}

/** The address of a view, for links. */
export const hrefOf = (view: View, of = ''): string => (of ? `#${view}/${encodeURIComponent(of)}` : `#${view}`);

const VIEWS: readonly string[] = ['customer', 'day', 'work', 'numbers'] satisfies readonly View[];
const isView = (text: string): text is View => VIEWS.includes(text);

function parse(hash: string): Route {
  const [view = '', of = ''] = hash.slice(1).split('/');
  return isView(view) ? { view, of: decodeURIComponent(of) } : { view: 'customer', of: '' };
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** The view that the address names now. */
export const useRoute = (): Route => parse(useSyncExternalStore(subscribe, () => location.hash));

/** Goes to a view, as a link would. */
export function goTo(view: View, of: string): void {
  location.hash = hrefOf(view, of);
}
