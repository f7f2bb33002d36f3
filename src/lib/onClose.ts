/** A response, or its substitute if an operation is executed in this process. */
export interface Closable {
  on(event: 'close', listener: () => void): unknown;
}

type Callback = () => void;

const CALLBACKS = Symbol('callbacks of onClose');

/** Calls back when a response is closed, in the order of registration. Uses one listener per response, because each listener of a request takes measurable CPU time. */
export function onClose(response: Closable & { [CALLBACKS]?: Callback[] }, callback: Callback): void {
  const registered = response[CALLBACKS];
  if (registered) {
    registered.push(callback);
    return;
  }
  const callbacks = [callback];
  response[CALLBACKS] = callbacks;
  response.on('close', () => {
    for (const call of callbacks) call();
  });
}
