export { HttpError } from '../core/post.ts';
export { type Client, type ClientOptions, createClient, type MutationResult, RequestError, type TypedDocument } from './createClient.ts';
