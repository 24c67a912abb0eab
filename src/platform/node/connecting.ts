import { member } from '../../options/own-members.ts'

/** The name of a socket that is connecting, in `process.getActiveResourcesInfo()`. */
const connectionAttempt = 'ConnectWrap'
/** The standard streams are listed once they have been used, although they do not keep the event loop running. */
const streams: ReadonlySet<string> = new Set(['PipeWrap', 'TTYWrap'])
const maxStreams = 3

/**
 * Returns whether at most connection attempts keep the event loop running, so that the program has finished. An attempt keeps it
 * running even if its socket is unreferenced. Also true while the program only reads its standard input. False if the runtime
 * does not provide this information.
 */
export function isOnlyConnecting(): boolean {
  // The channel of a forked process is also a stream.
  if (member(process.versions, 'bun') !== undefined || member(process, 'channel') !== undefined) return false
  const others = process.getActiveResourcesInfo().filter((name) => name !== connectionAttempt)
  return others.length <= maxStreams && others.every((name) => streams.has(name))
}
