// The route of docs/sign-in.md in an application's own server, whose framework and sessions are only declared. Only compiled.

interface Request {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly rawBody: string;
}

interface Response {
  status(code: number): Response;
  type(name: string): Response;
  send(body: string): void;
  end(): void;
}

declare const app: { post(path: string, handle: (request: Request, response: Response) => Promise<void>): void };
declare const sessions: { find(id: string | undefined): Promise<{ freshAccessToken(): Promise<string> } | undefined> };

app.post('/graphql', async (request, response) => {
  // The cookie: __Host-session; HttpOnly; Secure; SameSite=Strict. A form on another site can't set the header.
  if (request.headers['x-requested-with'] !== 'desk') return response.status(403).end();
  const session = await sessions.find(request.cookies['__Host-session']);
  if (!session) return response.status(401).end();
  const upstream = await fetch('https://graph.internal/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await session.freshAccessToken()}` },
    body: request.rawBody,
  });
  response
    .status(upstream.status)
    .type('application/json')
    .send(await upstream.text());
});
