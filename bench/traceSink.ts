// Takes exported traces, and does nothing with them: so that what is measured is their making and sending.
import { createServer } from 'node:http';

createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
}).listen(Number(process.env.PORT), '127.0.0.1');
