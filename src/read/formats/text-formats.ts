import type { ReadRecord } from '../record.ts'
import { readAccessLine } from './access.ts'
import { readLevelText } from './level-text.ts'
import type { LineContext } from './line-context.ts'
import { readLogfmt } from './logfmt.ts'
import { readShortAccessLine } from './short-access.ts'
import { readSyslog } from './syslog.ts'

/** Reads a line as the given format, or as the first one that matches, of those that are not JSON. Returns undefined if none matches. */
export function readTextFormat(text: string, context: LineContext): ReadRecord | undefined {
  switch (context.input) {
    case undefined:
      return (
        readAccessLine(text, context) ??
        readLevelText(text, context) ??
        readLogfmt(text, context) ??
        readShortAccessLine(text, context)
      )
    case 'access':
      return readAccessLine(text, context) ?? readShortAccessLine(text, context)
    case 'logfmt':
      return readLogfmt(text, context)
    case 'syslog':
      return readSyslog(text, context)
    default:
      return undefined
  }
}
