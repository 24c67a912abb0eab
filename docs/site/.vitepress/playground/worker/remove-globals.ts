/**
 * Globals that a program does not have. The policy of the frame blocks requests in any case: this makes the error message clear, and keeps
 * programs from starting other workers.
 */
const removedNames = [
  'XMLHttpRequest',
  'WebSocket',
  'WebSocketStream',
  'EventSource',
  'WebTransport',
  'importScripts',
  'indexedDB',
  'caches',
  'Worker',
  'SharedWorker',
  'BroadcastChannel',
  'FontFace',
  'close',
  'postMessage',
] as const

/** Removes the globals for requests, storage and other workers. */
export function removeGlobals(scope: object): void {
  for (const name of removedNames) {
    for (let owner: object | null = scope; owner !== null; owner = Object.getPrototypeOf(owner) as object | null)
      Reflect.deleteProperty(owner, name)
  }
  Object.assign(scope, {
    fetch: () => Promise.reject(new TypeError('The playground has no network: fetch is not available')),
  })
}
