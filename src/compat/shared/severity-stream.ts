import { isOnEveryObject, member } from '../../options/own-members.ts'

/** A stream that may accept lines together with an OpenTelemetry severity number. */
interface MaybeWithSeverity {
  writeRecord?(line: string, severity: number): unknown
}

/** Returns whether a stream accepts a severity with each line. Called for each line, so the member is read directly if that is safe. */
export function acceptsSeverity<S extends MaybeWithSeverity>(
  stream: S,
): stream is S & Required<Pick<S, 'writeRecord'>> {
  const method = isOnEveryObject('writeRecord') ? member(stream, 'writeRecord') : stream.writeRecord
  return method !== undefined
}
