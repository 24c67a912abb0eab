import type { TextStream } from '../exporters/stream-exporter.ts'
import { member } from '../options/own-members.ts'

/** The members of a stream that the console reads before it formats text. */
export type Terminal = Pick<TextStream, 'isTTY' | 'getColorDepth'>

/** An object that replaces a stream of a console. */
export interface StreamProxy {
  readonly isTTY: boolean
  getColorDepth(environment?: object): number
  write(text: unknown, ...rest: readonly unknown[]): boolean
}

/**
 * Creates a replacement for a stream. The console formats text for it as for `terminal`, with the same colors.
 *
 * @param write - receives each text that the console writes, including its line terminator
 * @param terminal - returns the stream whose color support the console uses; undefined for text without colors
 */
export function createStreamProxy(write: (text: string) => void, terminal: () => Terminal | undefined): StreamProxy {
  const proxy = {
    __proto__: null,
    get isTTY(): boolean {
      const stream = terminal()
      return stream !== undefined && member(stream, 'isTTY') === true
    },
    getColorDepth: (environment?: object) => {
      const stream = terminal()
      const getDepth = stream && member(stream, 'getColorDepth')
      return getDepth === undefined ? 1 : getDepth.call(stream, environment)
    },
    write(text: unknown, ...rest: readonly unknown[]): boolean {
      write(typeof text === 'string' ? text : Buffer.from(text as Uint8Array).toString())
      const callback = rest.at(-1)
      if (typeof callback === 'function') (callback as (error: null) => void)(null)
      return true
    },
    // The console adds an error listener for each write unless the stream has one. The proxy emits no errors, so none is needed.
    listenerCount: () => 1,
    on: () => proxy,
    once: () => proxy,
    removeListener: () => proxy,
  }
  return proxy
}
