import { isDeepStrictEqual } from 'node:util'
import type { Line } from '../../../subjects/subject.ts'
import type { RecordCheck } from '../service.ts'
import { rowAt, rowsEach } from './rows.ts'

/** An upload is handled synchronously, so the order of lines is known: upload by upload, row by row. */
export function createUploadsCheck(names: readonly string[]): RecordCheck {
  let lines = 0

  function checkLine({ message, attributes }: Line): string | undefined {
    const seq = lines % rowsEach
    const upload = Math.floor(lines / rowsEach)
    lines++
    if (message !== 'row imported') return `the message is ${JSON.stringify(message)}`
    const same = isDeepStrictEqual(attributes, { upload, seq, ...rowAt(names, seq) })
    return same ? undefined : `not row ${seq} of upload ${upload}: ${JSON.stringify(attributes)}`
  }

  function finish(answered: number, cutOff: number): string[] {
    const uploads = lines / rowsEach
    const problems: string[] = []
    if (uploads < answered) problems.push(`${uploads} uploads are in the log, ${answered} were answered`)
    if (uploads > answered + cutOff) problems.push(`${uploads} uploads are in the log, only ${answered} were answered`)
    if (!Number.isInteger(uploads)) problems.push(`the last upload in the log has ${lines % rowsEach} rows`)
    return problems
  }

  return { checkLine, finish }
}
