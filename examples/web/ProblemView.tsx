import { createHref } from './route.ts';
import { useTitle } from './useTitle.ts';

/** What a URL shows that leads nowhere. */
export function UnknownView() {
  useTitle('Not found');
  return (
    <div className="notice failed" role="status">
      <p>This page doesn’t exist. The link may be incomplete.</p>
      <p>
        <a href={createHref('customer')}>Customers</a>
      </p>
    </div>
  );
}

/** What a view shows that has thrown an error, such as a part of the page that a new release has replaced. */
export function BrokenView() {
  return (
    <div className="notice failed" role="alert">
      <p>This view can’t be displayed. What you have saved isn’t affected.</p>
      <p className="buttons">
        <button type="button" className="quiet" onClick={() => location.reload()}>
          Reload the page
        </button>
      </p>
    </div>
  );
}
