import { choice, flag, integer, text, type OptionSchema } from '../../options/option-checks.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { checkedOptions } from '../exporter-options.ts'

/** Options of `spool`. */
export interface SpoolOptions {
  /**
   * Where records wait; relative to the working directory at construction. It is made where it is missing (0o700). Processes
   * and threads may share it: each has a directory of its own in it. It must outlive the process.
   */
  readonly directory: string
  /**
   * How many bytes of files may wait, for each process; at least 1 MiB. Beyond it the oldest file of some is dropped, and its
   * records are counted as `expired`.
   */
  readonly maxBytes: number
  /**
   * The maximum size of all files in `directory`, in bytes, of all processes and threads together, including what processes
   * left behind and what was set aside; at least 2 MiB. When it is reached, what processes left behind is dropped first, then
   * the oldest file of the process that writes. All processes must use the same value. Default: 8 times `maxBytes`.
   */
  readonly maxDirectoryBytes?: number
  /**
   * Accepts directories that their group can write to, such as those of a Kubernetes volume with `fsGroup`. Every member of
   * the group can then read, change and remove what is in the spool. Default false: such a directory is refused.
   */
  readonly allowGroupWrite?: boolean
  /** How old what waits may become, in ms. What is older is dropped, file by file, and counted as `expired`. Default: any. */
  readonly maxAgeMillis?: number
  /**
   * When the system must put records onto the disk (POSIX fsync). What is written survives the process in any case; this is
   * for a power cut. `never`; `segment` (default): each file when it is full, at flush and at shutdown; `batch`: each batch
   * before it counts as written.
   */
  readonly fsync?: SpoolFsync
}

/** When the system must put records onto the disk. */
export type SpoolFsync = 'never' | 'segment' | 'batch'

/** The least `maxBytes`, in bytes: a line of the longest kind finds room in it. */
const leastBytes = 1024 * 1024
/** An eighth is for what is set aside. */
const leastDirectoryBytes = 2 * leastBytes

const directory = text(/^[^\0]+$/, 'be the path of a directory')
const maxBytes = integer(leastBytes, Number.MAX_SAFE_INTEGER)

const schema: OptionSchema = {
  directory,
  maxBytes,
  maxDirectoryBytes: integer(leastDirectoryBytes, Number.MAX_SAFE_INTEGER),
  allowGroupWrite: flag,
  maxAgeMillis: integer(1),
  fsync: choice(['never', 'segment', 'batch']),
}

/** The options of `spool` as they stand now, and everything that is wrong in them. */
export function spoolOptions(options: SpoolOptions): { own: SpoolOptions; problems: ConfigurationProblem[] } {
  const { own, problems } = checkedOptions('spool', options, schema)
  if (problems.length > 0 && typeof options !== 'object') return { own, problems }
  if (own?.directory === undefined) directory(undefined, 'spool.directory', problems)
  if (own?.maxBytes === undefined) maxBytes(undefined, 'spool.maxBytes', problems)
  return { own, problems }
}
