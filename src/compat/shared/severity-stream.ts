import { isOnEveryObject, member } from '../../options/own-members.ts'

/** A stream. Those of this package accept lines together with an OpenTelemetry severity number. */
interface AnyStream {
  writeRecord?(line: string, severity: number): unknown
}

/**
 * Returns whether a stream has `writeRecord`, as only the streams for lines of this package have, in any of its versions. Called for each
 * line, so the member is read directly if that is safe.
 */
export function isStreamOfThisPackage<S extends AnyStream>(stream: S): stream is S & Required<Pick<S, 'writeRecord'>> {
  const method = isOnEveryObject('writeRecord') ? member(stream, 'writeRecord') : stream.writeRecord
  return method !== undefined
}
