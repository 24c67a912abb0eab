import { parseMembers } from '../../read/formats/json-members.ts'
import { readOtlpRecords } from '../../read/formats/otlp.ts'
import type { RecordOrigin } from '../../read/record.ts'
import type { DuplicateFinder } from '../store/duplicate-finder.ts'
import type { RecordAdder } from '../store/record-adder.ts'

const origin: RecordOrigin = { file: 'otlp', line: Number.NaN, container: undefined, stream: undefined }
const noBytes = new Uint8Array()

/** Adds the records of a request of OTLP/JSON. Returns their number; undefined if the text is not such a request. */
export function addLogsJson(
  adder: RecordAdder,
  text: string,
  now: number,
  duplicates?: DuplicateFinder,
): number | undefined {
  const members = parseMembers(text)
  if (members === undefined) return undefined
  const records = readOtlpRecords(members, { origin, raw: noBytes })
  if (records === undefined) return Object.keys(members).length === 0 ? 0 : undefined
  for (const record of records) {
    const { time = 0, severityNumber } = record
    if (duplicates?.isDuplicate(time, severityNumber, () => record.message, now) !== true) adder.record(record)
  }
  return records.length
}
