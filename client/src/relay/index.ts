export { HttpError } from '../core/post.ts';
export { createFetch, type FetchOptions } from './createFetch.ts';
export { missingFieldHandlers } from './missingFieldHandlers.ts';
