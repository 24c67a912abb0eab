import type { Bindings } from './log-values.ts'
import type { LevelOrString } from './levels.ts'

/** Receives the objects that pino's browser build logs. */
// oxlint-disable-next-line typescript/no-explicit-any -- any value can be logged
export type WriteFn = (o: any) => void

/** A log call as pino's browser build transmits it. */
export interface LogEvent {
  /** Milliseconds since the Unix epoch. */
  ts: number
  /** The arguments of the call, after serializers. */
  messages: unknown[]
  /** Bindings of the logger and its parents, outermost first. */
  bindings: Bindings[]
  /** The name and the number of the level. */
  level: { label: string; value: number }
}

/**
 * Options of pino's browser build. They have no effect in Node, as in pino. They are accepted so that options can be shared with browser
 * code.
 */
export interface BrowserOptions {
  /**
   * Whether records are passed to the console as objects.
   *
   * @defaultValue false
   */
  asObject?: boolean
  /**
   * Whether the object contains only the level, time and bindings, and the arguments of the call follow it.
   *
   * @defaultValue false
   */
  asObjectBindingsOnly?: boolean
  /**
   * Whether the location of the call is logged.
   *
   * @defaultValue false
   */
  reportCaller?: boolean
  /**
   * Functions that format the object.
   *
   * @defaultValue none
   */
  formatters?: {
    /** Returns the members that represent the level. */
    level?: (label: string, number: number) => object
    /** Returns the members that represent the logged object. */
    log?: (object: Record<string, unknown>) => Record<string, unknown>
  }
  /**
   * Receives objects instead of the console, for all levels or by level.
   *
   * @defaultValue the console
   */
  write?: WriteFn | { [level: string]: WriteFn }
  /**
   * Whether serializers are applied, or the names of those that are.
   *
   * @defaultValue false
   */
  serialize?: boolean | string[]
  /**
   * Function `send` that receives each log call, and the minimum level of these calls.
   *
   * @defaultValue nothing is sent
   */
  transmit?: { level?: LevelOrString; send: (level: LevelOrString, logEvent: LogEvent) => void }
  /**
   * Whether logging is disabled.
   *
   * @defaultValue false
   */
  disabled?: boolean
}
