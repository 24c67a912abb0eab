import type { Subject } from '../../subjects/subject.ts'
import type { FirstLine } from './run-program.ts'
import { message } from './program.ts'

const lineFeed = 10

/** Returns why the start of a program is invalid, or an empty list if it logged one complete line. */
export function problemsOfFirstLine({ took, bytes }: Pick<FirstLine, 'took' | 'bytes'>, { read }: Subject): string[] {
  const lines = bytes.reduce((sum, byte) => sum + (byte === lineFeed ? 1 : 0), 0)
  if (lines !== 1 || bytes.at(-1) !== lineFeed) return [`${lines} lines and ${bytes.length} bytes for one record`]
  if (Number.isNaN(took)) return ['the line was written without a change of the file']
  try {
    const line = read(JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>)
    if (line.level !== 'info') return [`the level is ${line.level}`]
    return line.message === message ? [] : [`the message is ${JSON.stringify(line.message)}`]
  } catch {
    return [`cannot be read: ${bytes.toString('utf8', 0, 80)}`]
  }
}
