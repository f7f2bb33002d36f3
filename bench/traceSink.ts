// Accepts and discards exported traces, so that only creating and sending them is measured.
import { createServer } from 'node:http';

createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
}).listen(Number(process.env.PORT), '127.0.0.1');
