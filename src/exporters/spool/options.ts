import { foreignSpoolOptionNames } from '../../options/foreign-exporter-names.ts'
import { foreignFsyncWords } from '../../options/foreign-values.ts'
import { choice, flag, integer, text, type OptionSchema } from '../../options/option-checks.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { copyAndCheckOptions, reportMissing } from '../exporter-options.ts'

/** Options of `spool`. */
export interface SpoolOptions {
  /**
   * The directory for queued records. A relative path is resolved against the working directory when the exporter is created.
   * It is created if it is missing, with mode 0o700. Processes and threads may share it: each uses its own subdirectory. The
   * directory must outlive the process.
   */
  readonly directory: string
  /**
   * The maximum total size of the queued files of this exporter, in bytes; at least 1 MiB. When it is exceeded, the oldest file is
   * dropped and its records count as `expired`.
   */
  readonly maxBytes: number
  /**
   * The maximum size of all files in `directory`, in bytes, of all processes and threads together, including files of ended
   * processes and quarantined data; at least 2 MiB. When it is reached, files of ended processes are dropped first, then the
   * oldest file of the process that writes. All processes must use the same value.
   *
   * @defaultValue 8 times `maxBytes`
   */
  readonly maxDirectoryBytes?: number
  /**
   * Whether to accept directories that their group can write to, such as those of a Kubernetes volume with `fsGroup`. Every
   * member of the group can then read, change and remove what is in the spool. By default, such a directory is rejected.
   *
   * @defaultValue false
   */
  readonly allowGroupWrite?: boolean
  /**
   * The maximum age of queued records, in ms. Older records are dropped, one file at a time, and count as `expired`.
   *
   * @defaultValue no limit
   */
  readonly maxAgeMillis?: number
  /**
   * When records are synced to the disk (POSIX fsync). Written records always survive a crash of the process; this option is
   * about power failures. `never`; `segment`: each file when it is full, at flush and at shutdown; `batch`: each batch before
   * it counts as written.
   *
   * @defaultValue `segment`
   */
  readonly fsync?: SpoolFsync
}

/** When records are synced to the disk. */
export type SpoolFsync = 'never' | 'segment' | 'batch'

/** The minimum of `maxBytes`: the maximum length of a line, in bytes. */
const minBytes = 1024 * 1024
/** The minimum of `maxDirectoryBytes`, in bytes. The longest line must fit although an eighth is for quarantined data. */
const minDirectoryBytes = 2 * minBytes

const schema: OptionSchema = {
  directory: text(/^[^\0]+$/, 'be the path of a directory'),
  maxBytes: integer(minBytes, Number.MAX_SAFE_INTEGER),
  maxDirectoryBytes: integer(minDirectoryBytes, Number.MAX_SAFE_INTEGER),
  allowGroupWrite: flag,
  maxAgeMillis: integer(1),
  fsync: choice(['never', 'segment', 'batch'], foreignFsyncWords),
}

/** Returns a copy of the options of `spool`, and all problems found in them. */
export function spoolOptions(options: SpoolOptions): {
  checkedOptions: SpoolOptions
  problems: ConfigurationProblem[]
} {
  const { checkedOptions, problems } = copyAndCheckOptions('spool', options, schema, [], foreignSpoolOptionNames, {
    'a string': "spool(exporter, { directory: '/var/spool/app', maxBytes: 100_000_000 })",
  })
  if (checkedOptions?.directory === undefined)
    reportMissing('spool', 'directory', "directory: '/var/spool/app'", problems)
  if (checkedOptions?.maxBytes === undefined) reportMissing('spool', 'maxBytes', 'maxBytes: 100_000_000', problems)
  return { checkedOptions, problems }
}
