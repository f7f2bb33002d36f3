import type { HtmlTagDescriptor, Plugin } from 'vite';

/** Allows scripts of the page only, and requests to its server and the provider only. `nonce` allows those that Vite adds during development. */
function createPolicy(issuer: string | undefined, nonce: string | undefined): string {
  const own = nonce ? `'self' 'nonce-${nonce}'` : "'self'";
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    'img-src data:',
    `connect-src 'self'${issuer ? ` ${new URL(issuer).origin}` : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Adds a content security policy to the page, so that it applies on every server. */
export function contentSecurityPolicy(issuer: string | undefined, nonce: string | undefined): Plugin {
  const content = createPolicy(issuer, nonce);
  const tag: HtmlTagDescriptor = {
    tag: 'meta',
    attrs: { 'http-equiv': 'Content-Security-Policy', content },
    injectTo: 'head-prepend',
  };
  return { name: 'content-security-policy', transformIndexHtml: { order: 'post', handler: () => [tag] } };
}
