import type { Duplex } from 'node:stream'

/** How long a connection stays open after an error was answered, in ms. */
const lingerMillis = 2_000

/**
 * Closes a connection some time after an error was answered. Until then, the client can receive the response: a connection that is closed with
 * unread bytes is reset. A client that neither reads nor closes it would keep it forever.
 *
 * @returns a function that keeps the connection open
 */
export function closeLater(socket: Duplex): () => void {
  const timer = setTimeout(() => socket.destroy(), lingerMillis).unref()
  const stop = (): void => clearTimeout(timer)
  socket.once('close', stop)
  return () => {
    stop()
    socket.off('close', stop)
  }
}
