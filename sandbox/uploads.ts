import type { IncomingMessage, ServerResponse } from 'node:http';
import type { World } from './world.ts';

/** Takes and gives the bytes of customer files, by the links that the file operations hand out. */
export async function serveFile(_world: World, _request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(404).end();
}
