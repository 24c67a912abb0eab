import { ownCopy } from '../../options/own-members.ts'
import { Destination } from '../shared/destination/destination.ts'
import { openLineStream } from '../shared/destination/standard-destination.ts'
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

const info = 30

/** Returns the type of a stream, or the default type for its options. */
export function typeOf({ type, stream, path }: Stream): string | undefined {
  return type || (stream ? 'stream' : path ? 'file' : undefined)
}

/** Opens a stream for options that were checked. */
export function openStream(options: Stream, defaultLevel: LogLevel | undefined): OpenStream {
  const given = ownCopy(options)
  const type = typeOf(given)!
  const isFile = type === 'file'
  const stream = streamOf(given, type)
  // A raw stream receives objects rather than lines.
  if (type !== 'raw') openLineStream(stream)
  return addMembers(given, {
    type,
    raw: type === 'raw',
    level: resolveLevel(given.level ?? defaultLevel ?? info),
    stream,
    closeOnExit: given.closeOnExit || (given.stream === undefined && (isFile || type === 'rotating-file')),
    ...(isFile && given.reemitErrorEvents === undefined ? { reemitErrorEvents: true } : {}),
  })
}

function streamOf({ stream, path, period, count }: Stream, type: string): AnyStream {
  if (type === 'rotating-file') return new RotatingFileStream({ path: path!, period, count })
  return stream === undefined ? new Destination({ dest: path }) : stream
}
