import { wrong } from '../wrong-option.ts'
import type { RetryEagain } from './write-whole.ts'

/** Where lines go, and how. */
export interface DestinationOptions {
  /** A file's path, or a descriptor. Default: the standard output. */
  readonly dest?: string | number | undefined
  /** The same. */
  readonly fd?: string | number | undefined
  /** Whether each line is written before the log call returns. Default false: at the end of the turn, by a bounded queue. */
  readonly sync?: boolean | undefined
  /** How many characters are held back for one write, until a flush or the end of the process. Default 0. */
  readonly minLength?: number | undefined
  /**
   * How much may wait; lines beyond are dropped, with an event `drop`. The queue counts bytes, and what is held back for `minLength`
   * characters. Default 0: the queue's own bound, 16 MiB.
   */
  readonly maxLength?: number | undefined
  /** The most bytes of one write. Lines are never cut for it; it must be more than `minLength`. Default 16,384. */
  readonly maxWrite?: number | undefined
  /** Every so many ms what is held back is written. Default 0: never. */
  readonly periodicFlush?: number | undefined
  /** Whether the system puts each write on the disk. Default false. */
  readonly fsync?: boolean | undefined
  /** Whether a file keeps what it has. Default true. */
  readonly append?: boolean | undefined
  /** The rights of a new file. */
  readonly mode?: number | string | undefined
  /** Whether missing directories are made. Default false. */
  readonly mkdir?: boolean | undefined
  /** Whether what is written is text, or bytes that the caller has made. Default `utf8`. */
  readonly contentMode?: 'utf8' | 'buffer' | undefined
  /** Asked where a synchronous write would have to wait. Default: always again. */
  readonly retryEAGAIN?: RetryEagain | undefined
}

/** The descriptor that a text names, else the path. */
export function placeOf({ fd, dest }: DestinationOptions): string | number {
  const place = (fd || dest) ?? process.stdout.fd ?? 1
  const number = Number(place)
  return typeof place === 'string' && place !== '' && Number.isFinite(number) ? number : place
}

const usualMaxWrite = 16_384

export function checkDestination(options: DestinationOptions): void {
  const { contentMode, minLength = 0, maxWrite = usualMaxWrite } = options
  if (contentMode !== undefined && contentMode !== 'utf8' && contentMode !== 'buffer') {
    throw wrong('contentMode', `a destination takes "utf8" and "buffer", but passed ${String(contentMode)}`)
  }
  const place = placeOf(options)
  if (typeof place !== 'number' && typeof place !== 'string') {
    throw wrong('dest', 'a destination is a file descriptor or the path of a file; give a stream to pino() itself')
  }
  if (minLength >= maxWrite) throw wrong('minLength', `minLength should be smaller than maxWrite (${maxWrite})`)
}
