import type { Directive } from './directive.ts'

/** How directives were set. */
export type LevelSource = 'code' | 'environment' | 'file' | 'http' | 'signal'

/** Directives that were set together. */
export interface LevelLayer {
  /** Identifies the layer in all threads of the process. */
  readonly id: string
  readonly directives: readonly Directive[]
  /** The directives as text. */
  readonly text: string
  /** What was invalid and is ignored, one sentence each; undefined if all directives are valid. */
  readonly ignored: readonly string[] | undefined
  readonly source: LevelSource
  /** A label of who set them; undefined if it is not known. */
  readonly by: string | undefined
  /** The network address of who set them; undefined if it is not known. */
  readonly remoteAddress: string | undefined
  /** When the layer was set, in ms of `monotonicNow()`; -Infinity for one that is set when the process starts. Newer layers win. */
  readonly setAt: number
  /** When the layer expires, in ms since the Unix epoch; undefined for a layer that does not expire. */
  readonly until: number | undefined
  /** When the layer expires, in ms of `monotonicNow()`; Infinity for a layer that does not expire. */
  readonly expiresAt: number
  /** The ID of the thread that has set the layer and reports its changes; undefined for this thread. */
  readonly thread: number | undefined
  /** Whether each thread sets the layer itself, so that threads do not send it to each other. */
  readonly isPerThread: boolean
}

/** A change of the layers. */
export interface LevelChangeEvent {
  readonly action: 'set' | 'reverted' | 'expired'
  readonly layer: LevelLayer
  /** All layers before the change, the newest first. */
  readonly from: readonly LevelLayer[]
  readonly to: readonly LevelLayer[]
}

// Read at load, so that a test runner's fake timers, installed later, cannot stop the clock.
const { performance } = globalThis

/** Returns monotonic time in ms, which does not jump with the wall clock. */
export const monotonicNow: () => number = performance.now.bind(performance)
