import { member } from '../../options/own-members.ts'

/** A name in `process.getActiveResourcesInfo()`. */
const attempt = 'ConnectWrap'
/** The standard streams are listed once they have been used, although they do not keep the event loop running. */
const streams: ReadonlySet<string> = new Set(['PipeWrap', 'TTYWrap'])
const maxStreams = 3

/**
 * Returns whether the program has finished and only connection attempts keep the event loop running: an attempt does so even if
 * its socket is unreferenced. Also true while the program only reads its standard input. False if the runtime does not provide
 * this information.
 */
export function isOnlyConnecting(): boolean {
  // The channel of a forked process is also a stream.
  if (member(process.versions, 'bun') !== undefined || member(process, 'channel') !== undefined) return false
  const others = process.getActiveResourcesInfo().filter((name) => name !== attempt)
  return others.length <= maxStreams && others.every((name) => streams.has(name))
}
