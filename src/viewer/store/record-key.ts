import { standardSeverities } from '../../record/severity.ts'

/** Records of one message have the same severity, but loggers and SDKs name levels of one range in different ways. */
export function keyOf(severityNumber: number, message: string): string {
  return keyWith(String(rangeOf(severityNumber)), message)
}

/** Returns the key of text that is a warning or an error. */
export function warningOrErrorKey(message: string): string {
  return keyWith('warning or error', message)
}

/** Returns whether a severity number is one of warnings or errors. */
export function isWarningOrErrorNumber(severityNumber: number): boolean {
  const range = rangeOf(severityNumber)
  return range === rangeOf(standardSeverities.warn) || range === rangeOf(standardSeverities.error)
}

function rangeOf(severityNumber: number): number {
  return (severityNumber + 3) >> 2
}

function keyWith(level: string, message: string): string {
  // A part of a string can keep all of it in memory, so it is copied.
  return Buffer.from(`${level} ${message.length} ${message.slice(0, 500)}`).toString()
}
