import type { Variant } from '../../scenarios/scenario.ts'

/** What a program that reads logs does. */
export type ReadTask = 'pretty' | 'level' | 'trace' | 'sort' | 'follow'

/** A program that reads one or more log files. */
export interface ReadVariant extends Variant {
  readonly task: ReadTask
  /** The size of all files together. */
  readonly bytes: number
  /** The number of files. */
  readonly files: number
  readonly compression?: 'gzip' | 'zstd'
}
