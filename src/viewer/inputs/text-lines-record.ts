import type { AnyValue } from '../../record/any-value.ts'
import { standardSeverities } from '../../record/severity.ts'
import { addExceptionTexts } from '../../read/formats/exceptions.ts'
import { noTextParts, textRecord } from '../../read/formats/text-record.ts'
import type { ReadRecord, RecordOrigin } from '../../read/record.ts'

/** The level of text; undefined if it is unknown, as in a file. */
export type TextLevel = 'info' | 'warn' | 'error' | undefined

/** Returns the record of lines of text. A stack trace is its exception. */
export function textLinesRecord(
  lines: readonly string[],
  hasStack: boolean,
  level: TextLevel,
  origin: RecordOrigin,
): ReadRecord {
  const text = lines.join('\n')
  const error = hasStack ? errorPattern.exec(text) : null
  const levelParts = level === undefined ? {} : { level, severityNumber: standardSeverities[level] }
  const parts = { ...noTextParts, ...levelParts, message: text.trimEnd() }
  if (error === null) return textRecord(parts, { origin, raw: noBytes })
  const [header, before = '', type, message = ''] = error
  const attributes = new Map<string, AnyValue>()
  addExceptionTexts(attributes, type, message.trimEnd(), text.slice(before.length).trimEnd())
  return textRecord({ ...parts, message: header.trimEnd(), attributes }, { origin, raw: noBytes })
}

/** The text before an error, its type and its message, up to its first frame. */
const errorPattern =
  /^([^]*?)(?<![\w$.])((?:[\w$]+\.)*[\w$]*(?:Error|Exception))(?: \[[\w.]+\])?(?:: ([^]*?))?(?=\n\s+(?:at |File "))/
const noBytes = new Uint8Array()

/** Returns the level of text that a program wrote to standard error. Node writes warnings and what concerns its debugger there. */
export function standardErrorLevel(line: string): 'info' | 'warn' | 'error' {
  if (warningPattern.test(line)) return 'warn'
  return debuggerPattern.test(line) ? 'info' : 'error'
}

/** `(node:71) DeprecationWarning: …`, `(Use \`node --trace-warnings …`, `npm warn …`, `[warn] …`, `Warning: …`. */
const warningPattern =
  /^(?:\(\w+:\d+\) (?:\[\w+\] )?\w*Warning: |\(Use `\w+ --trace-\w+ \.\.\.` |(?:\w+ )?(?:warn(?:ing)?|WARN(?:ING)?)\b|\[(?:warn(?:ing)?|WARN(?:ING)?)\]|Warning: )/
const debuggerPattern = /^(?:Debugger (?:listening on|attached|ending on)|For help, see: |Waiting for the debugger)/
