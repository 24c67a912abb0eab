import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { MeasuredText } from './inline.ts'

/** The redacted data of a record that the terminal format renders. */
export interface TerminalRecord {
  /** Text before the first line, such as the name of a container, with its colors; undefined without one. */
  readonly prefix: MeasuredText | undefined
  /** Milliseconds since the Unix epoch; NaN for an unknown time. */
  readonly time: number
  /** The name of the level; '' without one. */
  readonly level: string
  /** The OpenTelemetry severity number, 0 to 24. */
  readonly severity: number
  /** The name of the instrumentation scope. */
  readonly scope: string | undefined
  readonly eventName: string | undefined
  readonly message: string | undefined
  /** The names of the attributes that the message contains. */
  readonly insertedNames: readonly string[]
  /** The attributes of the log call. */
  readonly attributes: AnyValueMap
  /** The attributes that the logger and the context add to each of their records. */
  readonly boundAttributes: Iterable<readonly [name: string, value: AnyValue]>
  readonly traceId: string | undefined
}

/** The device that shows the text. */
export interface OutputDevice {
  /** Identifies the device in the key of an encoding. */
  readonly key: string
  /**
   * The working directory, to which paths in stack traces are relative, with `/` as the separator and at its end; '' if it is unknown.
   */
  readonly workingDirectory: string
  /** Returns the current number of columns. */
  columns(): number
}
