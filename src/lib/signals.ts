import { constants } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';

type SignalHandler = (signal: NodeJS.Signals) => void;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The exit status that shells report for a process that a signal ended. */
export const getSignalStatus = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

let current: SignalHandler | undefined;

/**
 * Passes SIGTERM and SIGINT to this handler from now on, instead of the last one. By default, they end the process. A program calls this before it imports other
 * modules, because the kernel discards signals to the first process of a container as long as it has no handler.
 */
export function handleSignals(handler: SignalHandler = (signal) => process.exit(getSignalStatus(signal))): void {
  if (!current) for (const each of SIGNALS) process.on(each, (signal) => current?.(signal));
  current = handler;
}

/** Lets a signal be handled that arrived in the meantime. Imports and the creation of data block the event loop, which delivers signals. */
export const checkSignals = (): Promise<void> => turn();
