/** The icon of all pages: two linked records. A data URL, so that it needs no path of its own. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g fill="none" stroke="#3a56d4" stroke-width="2"><path d="M5 5l6 6"/><circle cx="4" cy="4" r="2.5"/><circle cx="12" cy="12" r="2.5"/></g></svg>',
)}`;
