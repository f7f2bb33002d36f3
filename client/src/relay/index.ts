export { createFetch, type FetchOptions, HttpError } from './createFetch.ts';
export { missingFieldHandlers } from './missingFieldHandlers.ts';
