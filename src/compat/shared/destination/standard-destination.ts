import { asStandardStream, standardStream, type StandardStream } from '../../../platform/node/standard-streams.ts'
import { destination, type Destination } from './destination.ts'

/**
 * Takes the lines for `process.stdout` or `process.stderr`. They go through the queue of the descriptor, in pieces that a pipe
 * accepts whole; where other code has replaced `write` of the stream, that function gets each line in the call.
 */
export class StandardDestination {
  private readonly standard: StandardStream
  private opened: Destination | undefined
  /** Whether lines may still be in the queue. */
  private isQueued = false

  constructor(standard: StandardStream) {
    this.standard = standard
  }

  /** Takes a line of unknown severity. */
  write(line: string): unknown {
    return this.standard.isReplaced ? this.passOn(line) : this.queue().write(line)
  }

  /** Takes a line with its OpenTelemetry severity number. */
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

  /** Not before it is needed: a program that captures its output may never write to the descriptor. */
  private open(): Destination {
    return (this.opened ??= destination(this.standard.fd))
  }

  /** Lines that were queued before `write` was replaced come first. */
  private passOn(line: string): unknown {
    if (this.isQueued) this.flushSync()
    this.isQueued = false
    return this.standard.write(line)
  }
}

const byStream: { readonly stream: object; readonly destination: StandardDestination }[] = []

/**
 * Returns what takes the lines for a stream that a user has passed: a destination for `process.stdout` and `process.stderr`, any
 * other stream itself. Called at configuration.
 */
export function openLineStream<S extends object>(stream: S): S | StandardDestination {
  const standard = asStandardStream(stream)
  if (standard === undefined) return stream
  const known = lineStream(stream)
  if (known !== stream) return known
  const made = new StandardDestination(standard)
  byStream.push({ stream, destination: made })
  return made
}

/** The same for a stream that `openLineStream` has seen. Called for each line. */
export function lineStream<S extends object>(stream: S): S | StandardDestination {
  for (const each of byStream) if (each.stream === stream) return each.destination
  return stream
}

/** Returns what takes the lines of a logger that was given no stream. */
export function standardOutput(): StandardDestination {
  return new StandardDestination(standardStream(1))
}
