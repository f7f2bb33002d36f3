/** Settings of the page, from environment variables or `.env` files. They are part of the built page, so none is secret. */
interface ImportMetaEnv {
  readonly VITE_AUTH_ISSUER?: string;
  readonly VITE_AUTH_CLIENT_ID?: string;
  readonly VITE_AUTH_AUDIENCE?: string;
  /** API key that the form contains at first. Only set for development. */
  readonly VITE_API_KEY?: string;
}
