import type { ErrorLike } from '@apollo/client';
import { type GraphError, getGraphErrors } from '@workspace-graph/client';
import { createContext, useState } from 'react';
import { explain } from './explanations.ts';

/** A query of a component, as `useQuery` returns it. */
export interface Read<Data = unknown> {
  readonly loading: boolean;
  readonly error?: ErrorLike | undefined;
  readonly data?: Data | undefined;
  readonly previousData?: Data | undefined;
  readonly refetch: () => Promise<unknown>;
}

const UNREACHABLE = 'Can’t reach the graph. Check that it’s running.';

/** Explains an error of a response. */
export function explainError({ code, message, retry, extensions }: GraphError): string {
  const { missingScopes } = extensions as { readonly missingScopes?: readonly string[] };
  return explain({ code, message, retry, missingScopes });
}

/** Distinct explanations of an error. */
export function getMessages(error: ErrorLike): string[] {
  const errors = getGraphErrors(error);
  return errors.length > 0 ? [...new Set(errors.map(explainError))] : [UNREACHABLE];
}

/** Whether reading again can succeed. The graph gives advice for each error, and a request without a response can be repeated. */
export function isRepeatable(error: ErrorLike): boolean {
  const errors = getGraphErrors(error);
  return errors.length === 0 || errors.some(({ retry }) => retry !== 'NEVER');
}

/** Whether every error is a lack of access, which further pages of a list have, too. */
export function isForbidden(error: ErrorLike): boolean {
  const errors = getGraphErrors(error);
  return errors.length > 0 && errors.every(({ code }) => code === 'FORBIDDEN');
}

const concernsStock = ({ code, path }: GraphError) => code === 'FORBIDDEN' && path?.includes('lines') === true;

/** Whether the key can't read the stock of the lines' products. */
export const isStockForbidden = (error: ErrorLike | undefined): boolean => getGraphErrors(error).some(concernsStock);

/** Whether the key of the page can't read stock. */
export const StockForbidden = createContext(false);

/** What a query displays: its result, and while it's loading, that of the filter before. Undefined after a failure, which isn't about that filter. */
export const getDisplayed = <Data>({ data, previousData, loading }: Read<Data>): Data | undefined =>
  data ?? (loading ? previousData : undefined);

/** The error of a query until it's read again. Apollo discards the error as soon as another response changes the cache. */
export function useLastError({ loading, error }: Read): ErrorLike | undefined {
  const [last, setLast] = useState(error);
  // While another request is loading, the last error isn't about the current one.
  const current = error ?? (loading ? undefined : last);
  if (current !== last) setLast(current);
  return current;
}
