import { asStandardStream, standardStream, type StandardStream } from '../../../platform/node/standard-streams.ts'
import { destination, type Destination } from './destination.ts'

/**
 * Writes the lines for `process.stdout` or `process.stderr` through the queue of the descriptor. If other code has replaced
 * `write` of the stream, that function is called with each line synchronously.
 */
export class StandardDestination {
  private readonly standardStream: StandardStream
  private openedDestination: Destination | undefined
  /** Whether lines were queued since the last call of a replaced `write`. They may still be in the queue. */
  private mayHaveQueued = false

  constructor(standard: StandardStream) {
    this.standardStream = standard
  }

  /** Writes a line of unknown severity. */
  write(line: string): unknown {
    return this.standardStream.isWriteReplaced ? this.writeReplaced(line) : this.openQueue().write(line)
  }

  /** Writes a line with its OpenTelemetry severity number. */
  writeRecord(line: string, severity: number): unknown {
    return this.standardStream.isWriteReplaced ? this.writeReplaced(line) : this.openQueue().writeRecord(line, severity)
  }

  flush(callback: (error?: Error) => void): void {
    if (this.openedDestination === undefined) callback()
    else this.openedDestination.flush(callback)
  }

  flushSync(): void {
    this.openedDestination?.flushSync()
  }

  on(event: 'error', listener: (error: Error) => void): void {
    this.open().on(event, listener)
  }

  /** Returns the destination, to whose queue a line is about to be added. */
  private openQueue(): Destination {
    this.mayHaveQueued = true
    return this.openedDestination ?? this.open()
  }

  /** Opens the destination on first use: a program that captures its output may never write to the descriptor. */
  private open(): Destination {
    return (this.openedDestination ??= destination(this.standardStream.fd))
  }

  /** Passes a line to the replaced `write`, after the lines that were queued before it was replaced. */
  private writeReplaced(line: string): unknown {
    if (this.mayHaveQueued) this.flushSync()
    this.mayHaveQueued = false
    return this.standardStream.writeToReplacement(line)
  }
}

const standardDestinations: { readonly stream: object; readonly destination: StandardDestination }[] = []

/**
 * Opens the standard destination if a stream passed by the user is `process.stdout` or `process.stderr`, and registers it for
 * `standardDestinationOrSelf`. Returns this destination, or any other stream itself. Called during configuration.
 */
export function openStandardDestinationOrSelf<S extends object>(stream: S): S | StandardDestination {
  const standard = asStandardStream(stream)
  if (standard === undefined) return stream
  const opened = standardDestinationOrSelf(stream)
  if (opened !== stream) return opened
  const created = new StandardDestination(standard)
  standardDestinations.push({ stream, destination: created })
  return created
}

/**
 * Returns the standard destination that `openStandardDestinationOrSelf` opened for `process.stdout` or `process.stderr`. Returns any other
 * stream itself. Called for each line.
 */
export function standardDestinationOrSelf<S extends object>(stream: S): S | StandardDestination {
  for (const each of standardDestinations) if (each.stream === stream) return each.destination
  return stream
}

/** Creates the destination of a logger without a configured stream. */
export function standardOutput(): StandardDestination {
  return new StandardDestination(standardStream(1))
}
