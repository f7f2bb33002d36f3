/** Hosts in URLs of this machine. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a server that listens on this host can only be reached from this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK_HOSTS.includes(host) || host === '::1';
