import { parseMembers } from '../../read/formats/json-members.ts'
import { readOtlpRecords } from '../../read/formats/otlp.ts'
import type { RecordOrigin } from '../../read/record.ts'
import type { DuplicateFinder } from '../store/duplicate-finder.ts'
import type { RecordAdder } from '../store/record-adder.ts'
import { checkParts } from './json-parts.ts'

const origin: RecordOrigin = { file: 'otlp', line: Number.NaN, container: undefined, stream: undefined }
/** The members that contain parts, which can have their names in protobuf as well. */
const logParts = [
  ['resourceLogs', 'resource_logs'],
  ['scopeLogs', 'scope_logs'],
  ['logRecords', 'log_records'],
]
const noBytes = new Uint8Array()

/**
 * Adds the records of a request of OTLP/JSON. Returns their number; undefined if the text is not such a request.
 *
 * @throws RangeError if it has too many parts. No record was added.
 */
export function addLogsJson(adder: RecordAdder, text: string, duplicates?: DuplicateFinder): number | undefined {
  const members = parseMembers(text)
  if (members === undefined) return undefined
  checkParts(members, logParts)
  const records = readOtlpRecords(members, { origin, raw: noBytes })
  if (records === undefined) return Object.keys(members).length === 0 ? 0 : undefined
  for (const record of records) {
    const { time = 0, severityNumber } = record
    if (duplicates?.isDuplicate(time, severityNumber, () => record.message) !== true) adder.record(record)
  }
  return records.length
}
