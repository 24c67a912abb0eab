import { SimpleSluiceRecord } from '../../read/formats/simple-sluice-record.ts'
import type { ReadRecord } from '../../read/record.ts'

/** Parts of the names of attributes that have the template of a message, a service or a number of dropped attributes. */
const names: readonly Buffer[] = ['emplate', '"@mt"', '{OriginalFormat}', 'dropped_attributes', '"service"'].map(
  (text) => Buffer.from(text),
)

/**
 * Returns whether a record certainly reports no losses, and has neither its template nor its service in an attribute. This is found in the
 * bytes of a simple line, because parsing its attributes would take longer than everything else that is counted.
 */
export function isPlainRecord(record: ReadRecord): record is SimpleSluiceRecord {
  if (!(record instanceof SimpleSluiceRecord) || record.eventName !== undefined) return false
  const line = record.raw as Buffer
  if (names.some((name) => line.includes(name))) return false
  // Markers of what was cut are texts or names that begin with a bracket. Others have `…`, which is in no simple line.
  for (let at = line.indexOf(openBracket); at >= 0; at = line.indexOf(openBracket, at + 1))
    if (line[at - 1] === quote) return false
  return true
}

const quote = 34
const openBracket = 91
