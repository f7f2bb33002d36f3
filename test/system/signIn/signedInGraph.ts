import { AUDIENCE } from '../../support/identityProvider.ts';

/** Settings of a graph whose clients sign in with a provider. `keys`: where the API keys of accounts are stored. */
export const createSignInEnv = (issuer: string, upstreamUrl: string, keys: string) => ({
  UPSTREAM_URL: upstreamUrl,
  LEDGER_URL: 'file::memory:',
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: AUDIENCE,
  AUTH_KEYS: keys,
});

const preload = (code: string) => ['--import', `data:text/javascript,${encodeURIComponent(code)}`];

/** Options of Node.js for a process whose clocks each message advances by this many milliseconds. Its timers aren't affected. */
export const createSettableClock = (ms: number) =>
  preload(`
    let ahead = 0;
    for (const clock of [Date, performance]) {
      const now = clock.now.bind(clock);
      clock.now = () => now() + ahead;
    }
    process.on('message', () => {
      ahead += ${ms};
      process.send('advanced');
    });
  `);

/** Options of Node.js for a process that sends itself a signal for each message, and responds when all listeners of the signal have been called. */
export const createSignalSender = (signal: NodeJS.Signals) =>
  preload(`
    process.on('message', () => {
      process.once('${signal}', () => process.send('received'));
      process.kill(process.pid, '${signal}');
    });
  `);
