import type { AnyValue } from '../../record/any-value.ts'
import { severityOfPinoLevel } from '../../record/severity-maps.ts'
import { levelFields, textRecord } from '../formats/text-record.ts'
import { exactTime, readTextTime } from '../formats/text-time.ts'
import type { FormatName, ReadRecord, RecordOrigin } from '../record.ts'

/** Reads lines of this package and of pino, until `formats/json.ts` reads all JSON formats. */
export function readJsonRecords(
  text: string,
  context: {
    readonly origin: RecordOrigin
    readonly raw: Uint8Array
    readonly input?: FormatName | undefined
    readonly fieldNames?: ReadonlyMap<string, string> | undefined
  },
): ReadRecord | readonly ReadRecord[] | undefined {
  let members: Record<string, unknown>
  try {
    members = JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return undefined
  const { level, time, timestamp, msg, message, trace_id: traceId } = members
  if (
    level === undefined &&
    time === undefined &&
    timestamp === undefined &&
    msg === undefined &&
    message === undefined
  )
    return undefined
  const read = typeof time === 'number' ? exactTime(time, 0) : readTextTime(String(timestamp))
  const body = msg ?? message
  return textRecord(
    {
      format: typeof level === 'number' ? 'pino' : 'sluice',
      time: read?.time,
      timeUnixNano: read?.timeUnixNano,
      ...(typeof level === 'number'
        ? { severityNumber: severityOfPinoLevel(level) }
        : levelFields(typeof level === 'string' ? level : '')),
      message: typeof body === 'string' ? body : undefined,
      attributes: new Map(Object.entries(members) as [string, AnyValue][]),
      traceId: typeof traceId === 'string' ? traceId : undefined,
    },
    context.origin,
    context.raw,
  )
}
