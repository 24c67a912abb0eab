import type { FormatName, ReadRecord, RecordOrigin } from '../record.ts'
import { readAccessLine } from './access.ts'
import { readLevelText } from './level-text.ts'
import { readLogfmt } from './logfmt.ts'
import { readSyslog } from './syslog.ts'

/**
 * Reads a line of a format that is not JSON. Returns undefined if it has none of them.
 *
 * @param input - the only format that is tried; undefined for all of them
 */
export function readTextFormat(
  text: string,
  origin: RecordOrigin,
  raw: Uint8Array,
  input: FormatName | undefined,
  fieldNames: ReadonlyMap<string, string> | undefined,
): ReadRecord | undefined {
  if (input === undefined)
    return (
      readAccessLine(text, origin, raw) ?? readLevelText(text, origin, raw) ?? readLogfmt(text, origin, raw, fieldNames)
    )
  if (input === 'access') return readAccessLine(text, origin, raw)
  if (input === 'logfmt') return readLogfmt(text, origin, raw, fieldNames, true)
  return input === 'syslog' ? readSyslog(text, origin, raw) : undefined
}
