import { optionError } from '../option-error.ts'
import type { RetryEagain } from './write-whole.ts'

/** Options of a destination. */
export interface DestinationOptions {
  /**
   * Path of a file, or a file descriptor.
   *
   * @defaultValue standard output
   */
  readonly dest?: string | number | undefined
  /**
   * Alias of `dest`. If both are set, `fd` is used.
   *
   * @defaultValue none
   */
  readonly fd?: string | number | undefined
  /**
   * Whether each line is written before the log call returns. Otherwise lines are queued and written at the end of the event-loop turn.
   *
   * @defaultValue false
   */
  readonly sync?: boolean | undefined
  /**
   * Number of characters to buffer for one write, until a flush or the exit of the process.
   *
   * @defaultValue 0
   */
  readonly minLength?: number | undefined
  /**
   * Maximum size of buffered and queued lines. Lines over the limit are dropped, with the event `drop`. The queue counts bytes; the buffer
   * of `minLength` counts characters.
   *
   * @defaultValue 0: only the limit of the queue, 16 MiB, applies
   */
  readonly maxLength?: number | undefined
  /**
   * Only checked: `minLength` must be smaller. Writes are not split into parts of this number of bytes.
   *
   * @defaultValue 16,384
   */
  readonly maxWrite?: number | undefined
  /**
   * Interval at which buffered lines are written, in milliseconds.
   *
   * @defaultValue 0: never
   */
  readonly periodicFlush?: number | undefined
  /**
   * Whether each write is synchronized to the disk with `fsync`.
   *
   * @defaultValue false
   */
  readonly fsync?: boolean | undefined
  /**
   * Whether existing content of a file is kept.
   *
   * @defaultValue true
   */
  readonly append?: boolean | undefined
  /**
   * Permission bits of a new file, before the umask.
   *
   * @defaultValue 0o644 for a file that is written through a queue, otherwise 0o666
   */
  readonly mode?: number | string | undefined
  /**
   * Whether missing directories are created.
   *
   * @defaultValue false
   */
  readonly mkdir?: boolean | undefined
  /**
   * Whether text is written, or bytes that the caller encoded. Bytes are written synchronously, even if `sync` is false.
   *
   * @defaultValue `utf8`
   */
  readonly contentMode?: 'utf8' | 'buffer' | undefined
  /**
   * Decides whether a synchronous write that would block is retried.
   *
   * @defaultValue always retries
   */
  readonly retryEAGAIN?: RetryEagain | undefined
}

/** Returns the descriptor if the value is a number or a numeric string, otherwise the path. */
export function pathOrFdOf({ fd, dest }: DestinationOptions): string | number {
  const pathOrFd = (fd || dest) ?? process.stdout.fd ?? 1
  const number = Number(pathOrFd)
  return typeof pathOrFd === 'string' && pathOrFd !== '' && Number.isFinite(number) ? number : pathOrFd
}

const defaultMaxWrite = 16_384

/** @throws ConfigurationError if an option is invalid */
export function checkDestinationOptions(options: DestinationOptions): void {
  const { contentMode, minLength = 0, maxWrite = defaultMaxWrite } = options
  if (contentMode !== undefined && contentMode !== 'utf8' && contentMode !== 'buffer') {
    throw optionError('contentMode', `a destination supports "utf8" and "buffer", but passed ${String(contentMode)}`)
  }
  const pathOrFd = pathOrFdOf(options)
  if (typeof pathOrFd !== 'number' && typeof pathOrFd !== 'string') {
    throw optionError(
      'dest',
      'a destination must be a file descriptor or the path of a file; pass a stream to pino() itself',
    )
  }
  if (minLength >= maxWrite) throw optionError('minLength', `minLength should be smaller than maxWrite (${maxWrite})`)
}
