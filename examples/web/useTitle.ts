import { useEffect } from 'react';

/** Sets the title of the page while a view is displayed. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Desk`;
  }, [title]);
}
