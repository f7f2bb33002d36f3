import { sendRaw } from './rawHttp.ts';

/** Hosts that a page of another site could give the address of this machine, and other notations of it. */
export const FOREIGN_HOSTS = [
  'rebound.example.com',
  'rebound.example.com:4000',
  '127.1',
  '0x7f000001',
  'localhost.example.com',
  '127.0.0.1.example.com',
];

/** Host headers that no server accepts. */
export const INVALID_HOSTS = ['a b', 'user@localhost', 'localhost:99999', '[::1'];

/** Names of this machine. */
export const LOCAL_HOSTS = ['localhost', 'LOCALHOST:4000', '127.0.0.1:1', '[::1]:4000'];

/** Sends a GET with each host. Returns the status codes. */
export async function getStatuses(url: string, path: string, hosts: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const host of hosts) statuses.push((await sendRaw(url, { path, headers: { host } })).status);
  return statuses;
}
