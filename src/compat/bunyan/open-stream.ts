import { withoutPrototype } from '../../options/own-members.ts'
import { Destination } from '../shared/destination/destination.ts'
import { openStandardDestinationOrSelf } from '../shared/destination/standard-destination.ts'
import { resolveLevel, type LogLevel } from './levels.ts'
import { RotatingFileStream } from './rotating-file.ts'
import type { Stream } from './types.ts'
import { addMembers } from '../../options/define-member.ts'

/** A stream that receives lines or records. */
export interface AnyStream {
  write(chunk: unknown): unknown
  on?(event: 'error', listener: (error: Error) => void): unknown
  end?(): void
  /** Writes a line with its OpenTelemetry severity number. */
  writeRecord?(line: string, severity: number): unknown
  flush?(callback: (error?: Error) => void): void
}

/** An open stream of a logger. */
export interface OpenStream extends Omit<Stream, 'stream' | 'level'> {
  type: string
  level: number
  raw: boolean
  stream: AnyStream
  closeOnExit: boolean
}

const infoLevel = 30

/** Returns the type of a stream, or the default type for its options; undefined if they have neither stream nor path. */
export function streamTypeOf({ type, stream, path }: Stream): string | undefined {
  return type || (stream ? 'stream' : path ? 'file' : undefined)
}

/** Opens a stream for options that were checked. */
export function openStream(options: Stream, defaultLevel: LogLevel | undefined): OpenStream {
  const copiedOptions = withoutPrototype(options)
  const type = streamTypeOf(copiedOptions)!
  const isFile = type === 'file'
  const stream = createStream(copiedOptions, type)
  // For `process.stdout` and `process.stderr`, this opens the destination with the queue, which `standardDestinationOrSelf` returns when a
  // line is written. A raw stream receives records, which that queue cannot hold.
  if (type !== 'raw') openStandardDestinationOrSelf(stream)
  return addMembers(copiedOptions, {
    type,
    raw: type === 'raw',
    level: resolveLevel(copiedOptions.level ?? defaultLevel ?? infoLevel),
    stream,
    closeOnExit:
      copiedOptions.closeOnExit || (copiedOptions.stream === undefined && (isFile || type === 'rotating-file')),
    ...(isFile && copiedOptions.reemitErrorEvents === undefined ? { reemitErrorEvents: true } : {}),
  })
}

function createStream({ stream, path, period, count }: Stream, type: string): AnyStream {
  if (type === 'rotating-file') return new RotatingFileStream({ path: path!, period, count })
  return stream === undefined ? new Destination({ dest: path }) : stream
}
