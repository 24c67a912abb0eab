import type { Bindings, LevelOrString } from './types.ts'

/** Takes what pino's build for browsers logs. */
// oxlint-disable-next-line typescript/no-explicit-any -- of anybody
export type WriteFn = (o: any) => void

/** What pino's build for browsers transmits of a call. */
export interface LogEvent {
  /** Milliseconds since the Unix epoch. */
  ts: number
  /** The arguments of the call, as serializers made them. */
  messages: unknown[]
  /** Of the logger, its parents' first. */
  bindings: Bindings[]
  /** The name and the number of the level. */
  level: { label: string; value: number }
}

/**
 * What pino's build for browsers does in place of writing lines. In Node it means nothing, to pino as well as here: it is there so that
 * options that serve both are options of this.
 */
export interface BrowserOptions {
  /** Whether an object of the record goes to the console. Default false. */
  asObject?: boolean
  /** Whether such an object holds what is bound alone, with the arguments behind it. Default false. */
  asObjectBindingsOnly?: boolean
  /** Whether the place of the call is said. Default false. */
  reportCaller?: boolean
  /** Functions that shape the object. Default: none. */
  formatters?: {
    /** Returns what an object says of the level. */
    level?: (label: string, number: number) => object
    /** Returns what is said in place of the logged object. */
    log?: (object: Record<string, unknown>) => Record<string, unknown>
  }
  /** Takes objects in the console's place, for all levels or by level. Default: the console. */
  write?: WriteFn | { [level: string]: WriteFn }
  /** Whether serializers hold, or which of them. Default false. */
  serialize?: boolean | string[]
  /** Sends what is logged, from a level on. Default: nothing is sent. */
  transmit?: { level?: LevelOrString; send: (level: LevelOrString, logEvent: LogEvent) => void }
  /** Whether nothing is logged. Default false. */
  disabled?: boolean
}
