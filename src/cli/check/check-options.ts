import type { FormatName } from '../../read/record.ts'

/** The validated options of `sluice check`. */
export interface CheckOptions {
  /** The files to check, in order; `-` is standard input. */
  readonly files: readonly string[]
  /** The key of the attribute that numbers the records of each producer. */
  readonly sequence?: string | undefined
  /** @defaultValue 'table' */
  readonly output?: 'table' | 'json' | undefined
  /** The format of all lines. Default: detected line by line. */
  readonly input?: FormatName | undefined
  /** The keys from which fields are read, as in `--map`. */
  readonly fieldNames?: ReadonlyMap<string, string> | undefined
}
