import { getTabStorage } from './tabStorage.ts';

const NAME = 'demo-key';

/** Stores a key of the sandbox's demo data until the tab is closed, so that reloading the page doesn't end the session. Other keys aren't stored. */
export function storeDemoKey(apiKey: string): void {
  if (apiKey.startsWith('demo-')) getTabStorage()?.setItem(NAME, apiKey);
  else getTabStorage()?.removeItem(NAME);
}

/** The stored key, or an empty string. */
export const readDemoKey = (): string => getTabStorage()?.getItem(NAME) ?? '';
