import type { TextStream } from '../exporters/stream-exporter.ts'
import { member } from '../options/own-members.ts'

/** The members of a stream that the console reads before it formats text. */
export type Terminal = Pick<TextStream, 'isTTY' | 'getColorDepth'>

/** An object that replaces a stream of the console. */
export interface StreamProxy {
  readonly isTTY: boolean
  getColorDepth(environment?: object): number
  write(text: unknown, ...rest: readonly unknown[]): boolean
}

/**
 * Creates a replacement for a stream. The console writes to it as to the original, with the same colors.
 *
 * @param write - receives each text that the console writes, including its line terminator
 * @param terminal - returns the stream that is replaced; undefined if the text is not displayed
 */
export function streamProxy(write: (text: string) => void, terminal: () => Terminal | undefined): StreamProxy {
  const own = {
    __proto__: null,
    get isTTY(): boolean {
      const stream = terminal()
      return stream !== undefined && member(stream, 'isTTY') === true
    },
    getColorDepth: (environment?: object) => {
      const stream = terminal()
      const depthOf = stream && member(stream, 'getColorDepth')
      return depthOf === undefined ? 1 : depthOf.call(stream, environment)
    },
    write(text: unknown, ...rest: readonly unknown[]): boolean {
      write(typeof text === 'string' ? text : Buffer.from(text as Uint8Array).toString())
      const done = rest.at(-1)
      if (typeof done === 'function') (done as (error: null) => void)(null)
      return true
    },
    // It never fails, so no error listener is required.
    listenerCount: () => 1,
    on: () => own,
    once: () => own,
    removeListener: () => own,
  }
  return own
}
