import type { Writable } from 'node:stream'
import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import { thrownName } from '../../../values/thrown-marker.ts'
import { member } from '../../../options/own-members.ts'

/** Maximum number of objects in the buffer of a user's stream. */
const maxBuffered = 10_000

/**
 * Writes an object to a user's stream, which buffers everything in memory. Over the limit, the object is dropped and reported. Never
 * throws.
 *
 * @param name - name of the transport, for diagnostics
 * @param done - called when the stream has accepted the object, or if the object is lost
 */
export function boundedWrite(
  stream: Writable,
  value: unknown,
  name: string,
  reportDiagnostic: OnDiagnostic,
  done?: () => void,
): void {
  try {
    if ((member(stream, 'writableLength') ?? 0) < maxBuffered) return void stream.write(value, done)
    reportDiagnostic({
      code: 'SLUICE_QUEUE_FULL',
      message: `${name}: ${maxBuffered} records are pending in the transport; further records are lost`,
    })
  } catch (error) {
    reportDiagnostic({
      code: 'SLUICE_EXPORT_FAILED',
      message: `${name} threw, and the record is lost: ${thrownName(error)}`,
    })
  }
  done?.()
}
