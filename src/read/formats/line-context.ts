import type { FormatName, RecordOrigin } from '../record.ts'

/** What is known about a line before it is read. */
export interface LineContext {
  readonly origin: RecordOrigin
  /** The bytes of the line as they were read. */
  readonly raw: Uint8Array
  /** The format to read the line as; undefined to detect it. */
  readonly input?: FormatName | undefined
  /** Names of members by the field that they are, such as `level` and `severity`. They have precedence over those of the format. */
  readonly fieldNames?: ReadonlyMap<string, string> | undefined
}
