import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { onClose } from '../../lib/onClose.ts';
import { closeAfter, hasUnboundedBody } from '../../lib/unreadBody.ts';
import type { ResponseObserver } from '../execution/overload.ts';
import { type Connection, findConnection } from './connections.ts';

type Fields = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Maximum length of a body that is discarded after an early response, so that its connection can be reused. Chosen: the largest body that any path accepts. */
const DISCARDED_BYTES = 1024 * 1024;

/** A response. Created for each request, including those that Node.js responds to itself. */
export class HttpResponse extends ServerResponse {
  /** Names and values of headers, in turn. A header that is set on the response replaces its default. */
  defaultHeaders: readonly string[] = [];
  /** Null if nothing observes the response. */
  observer: ResponseObserver | null = null;
  /** Not looked up by the request, which has no socket anymore once a stream of its body has been canceled. */
  readonly #connection: Connection | undefined;

  constructor(request: IncomingMessage, options?: object) {
    // @ts-expect-error Node.js passes options that its types don't have.
    super(request, options);
    const connection = findConnection(request.socket);
    this.#connection = connection;
    if (!connection) return;
    connection.onRequest(this);
    onClose(this, () => connection.onResponseClosed());
  }

  /** Called for each response head. If requests are pipelined, the last response ends the connection. */
  override writeHead(status: number, reason?: string | Fields, fields?: Fields): this {
    const connection = this.#connection;
    if (connection?.all.isEnding && connection.latest === this) this.shouldKeepAlive = false;
    if (connection && hasUnboundedBody(this.req, DISCARDED_BYTES)) {
      connection.isAbandoned = true;
      closeAfter(this, connection.socket);
    }
    return typeof reason === 'string'
      ? super.writeHead(status, reason, this.#withDefaults(fields))
      : super.writeHead(status, this.#withDefaults(reason ?? fields));
  }

  override write(...chunk: unknown[]): boolean {
    // @ts-expect-error One of several overloads.
    const isFlushed = super.write(...chunk);
    if (this.writableLength > 0) this.observer?.onUnread();
    return isFlushed;
  }

  override end(...chunk: unknown[]): this {
    // @ts-expect-error One of several overloads.
    super.end(...chunk);
    if (this.writableLength > 0) this.observer?.onUnread();
    return this;
  }

  /** Adds the default headers. Node.js writes a flat list without looking at each header, unless `setHeader` was called. */
  #withDefaults(fields: Fields | undefined): Fields | undefined {
    const { defaultHeaders } = this;
    if (Array.isArray(fields) && this.getHeaderNames().length === 0) return fields.concat(defaultHeaders);
    for (let index = 0; index < defaultHeaders.length; index += 2) {
      const [name = '', value = ''] = defaultHeaders.slice(index, index + 2);
      if (!this.hasHeader(name)) this.setHeader(name, value);
    }
    return fields;
  }
}
