import type { TextStream } from '../exporters/stream-exporter.ts'
import { member } from '../options/own-members.ts'

/** What the console asks of a stream before it formats for it. */
export type Terminal = Pick<TextStream, 'isTTY' | 'getColorDepth'>

/** What stands where the console looks for a stream. */
export interface StreamProxy {
  readonly isTTY: boolean
  getColorDepth(environment?: object): number
  write(text: unknown, ...rest: readonly unknown[]): boolean
}

/**
 * Stands in the place of a stream: the console writes to it as it would to the stream, in the same colors.
 *
 * @param write - takes each text that the console writes, its line end included
 * @param terminal - the stream that it stands for; undefined where nobody looks at the text
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
    // It never fails: nobody needs to listen.
    listenerCount: () => 1,
    on: () => own,
    once: () => own,
    removeListener: () => own,
  }
  return own
}
