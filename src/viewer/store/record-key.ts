import { standardSeverities } from '../../record/severity.ts'

/** Records of one message have the same severity, but loggers and SDKs name levels of one range in different ways. */
export function keyOf(severityNumber: number, message: string): string {
  return keyWith(String(rangeOf(severityNumber)), message)
}

/** Returns the key of text that is a warning or an error. */
export function warningOrErrorKey(message: string): string {
  return keyWith('warning or error', message)
}

/** Returns whether a severity number is one of warnings. */
export function isWarning(severityNumber: number): boolean {
  return rangeOf(severityNumber) === rangeOf(standardSeverities.warn)
}

/** Returns whether a severity number is one of errors. */
export function isError(severityNumber: number): boolean {
  return rangeOf(severityNumber) === rangeOf(standardSeverities.error)
}

function rangeOf(severityNumber: number): number {
  return (severityNumber + 3) >> 2
}

function keyWith(level: string, message: string): string {
  // A part of a string can keep all of it in memory, so it is copied.
  return Buffer.from(`${level} ${message.length} ${message.slice(0, 500)}`).toString()
}
