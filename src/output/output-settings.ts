import type { TimeFormat } from '../encode/pretty/time.ts'
import type { OutputDevice } from '../encode/pretty/terminal-record.ts'
import type { PatternPresetName } from '../redact/patterns/presets.ts'
import type { TextWriter } from './text-writer.ts'
import type { OutputFormat } from './output.ts'

/** How records are written, and to where. */
export interface OutputSettings {
  /** `-o`. */
  readonly format: OutputFormat
  readonly writer: TextWriter
  /** The width and the working directory for `pretty`. */
  readonly device: OutputDevice
  /** Whether the output is shown on a terminal, directly or by a pager. */
  readonly isTerminal: boolean
  readonly usesColors: boolean
  /** The names of all inputs. If there are several, `pretty` and `line` show the file of each line. */
  readonly files: readonly string[]
  /** `-s`: whether the records are sorted by time, so that those of one line can be apart. */
  readonly isSorted?: boolean | undefined
  /** `-i`: the only attributes that are written; undefined for all. A `*` at the end of a name matches any text. */
  readonly showKeys?: readonly string[] | undefined
  /** `-x`: the attributes that are not written. */
  readonly hideKeys?: readonly string[] | undefined
  /** `--time`; undefined for the time of day in the local zone in `pretty` and `line`, and for UTC in other formats. */
  readonly time?: TimeFormat | undefined
  /** `--redact`: the rules by which all data is redacted; undefined for none. */
  readonly redact?: readonly PatternPresetName[] | undefined
}
