import type { Writable } from 'node:stream'
import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import { thrownName } from '../../../values/thrown-marker.ts'
import { member } from '../../../options/own-members.ts'

/** How many objects may wait in a stream of somebody else's. */
const mostWaiting = 10_000

/**
 * Writes an object to a stream of somebody else's, which keeps all that waits in memory: beyond a bound the object is left out
 * and that is told. Never throws.
 */
export function boundedWrite(
  stream: Writable,
  value: unknown,
  name: string,
  reportDiagnostic: OnDiagnostic,
  done?: () => void,
): void {
  try {
    if ((member(stream, 'writableLength') ?? 0) < mostWaiting) return void stream.write(value, done)
    reportDiagnostic({
      code: 'SLUICE_QUEUE_FULL',
      message: `${name}: ${mostWaiting} records wait in it; records are lost`,
    })
  } catch (error) {
    reportDiagnostic({
      code: 'SLUICE_EXPORT_FAILED',
      message: `${name} threw, and the record is lost: ${thrownName(error)}`,
    })
  }
  done?.()
}
