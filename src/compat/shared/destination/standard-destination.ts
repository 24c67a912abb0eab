import { asStandardStream, standardStream, type StandardStream } from '../../../platform/node/standard-streams.ts'
import { destination, type Destination } from './destination.ts'

/**
 * Writes the lines for `process.stdout` or `process.stderr` through the queue of the descriptor, in chunks that a pipe accepts
 * atomically. If other code has replaced `write` of the stream, that function is called with each line synchronously.
 */
export class StandardDestination {
  private readonly standard: StandardStream
  private opened: Destination | undefined
  /** Whether lines may still be queued. */
  private isQueued = false

  constructor(standard: StandardStream) {
    this.standard = standard
  }

  /** Writes a line of unknown severity. */
  write(line: string): unknown {
    return this.standard.isReplaced ? this.passOn(line) : this.queue().write(line)
  }

  /** Writes a line with its OpenTelemetry severity number. */
  writeRecord(line: string, severity: number): unknown {
    return this.standard.isReplaced ? this.passOn(line) : this.queue().writeRecord(line, severity)
  }

  flush(callback: (error?: Error) => void): void {
    if (this.opened === undefined) callback()
    else this.opened.flush(callback)
  }

  flushSync(): void {
    this.opened?.flushSync()
  }

  on(event: 'error', listener: (error: Error) => void): void {
    this.open().on(event, listener)
  }

  private queue(): Destination {
    this.isQueued = true
    return this.opened ?? this.open()
  }

  /** Opens the destination on first use: a program that captures its output may never write to the descriptor. */
  private open(): Destination {
    return (this.opened ??= destination(this.standard.fd))
  }

  /** Passes a line to the replaced `write`, after the lines that were queued before it was replaced. */
  private passOn(line: string): unknown {
    if (this.isQueued) this.flushSync()
    this.isQueued = false
    return this.standard.write(line)
  }
}

const byStream: { readonly stream: object; readonly destination: StandardDestination }[] = []

/**
 * Returns the object that writes the lines for a stream passed by the user: a standard destination for `process.stdout` and
 * `process.stderr`, otherwise the stream itself. Called during configuration.
 */
export function openLineStream<S extends object>(stream: S): S | StandardDestination {
  const standard = asStandardStream(stream)
  if (standard === undefined) return stream
  const known = lineStream(stream)
  if (known !== stream) return known
  const created = new StandardDestination(standard)
  byStream.push({ stream, destination: created })
  return created
}

/** Returns the same for a stream that was passed to `openLineStream` before. Called for each line. */
export function lineStream<S extends object>(stream: S): S | StandardDestination {
  for (const each of byStream) if (each.stream === stream) return each.destination
  return stream
}

/** Returns the destination of a logger without a configured stream. */
export function standardOutput(): StandardDestination {
  return new StandardDestination(standardStream(1))
}
