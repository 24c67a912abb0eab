import type { AnyValue } from '../../record/any-value.ts'
import { addExceptionTexts } from '../formats/exceptions.ts'
import type { ReadRecord } from '../record.ts'

/**
 * How a line can begin an error that a runtime writes because the program did not catch it:
 * - `position`: if the line of the source and carets follow, as Node writes them.
 * - `fatal` and `error`: always. After `fatal`, the program ends.
 */
export type UncaughtStart = 'position' | 'fatal' | 'error'

/** Returns how a line begins an uncaught error; undefined if it does not begin one. */
export function uncaughtStart(line: string): UncaughtStart | undefined {
  const start = startPattern.exec(line)?.[0]
  if (start === undefined) return undefined
  if (start.startsWith('Un')) return 'fatal'
  if (isTraceback(start) || start.startsWith('Exc')) return 'error'
  return 'position'
}

/** Returns whether a line is the first of a trace of Python, also of a group of exceptions. */
export function isTraceback(line: string): boolean {
  return line.endsWith('Traceback (most recent call last):')
}

/** Returns whether a line is `/app/server.js:3` or similar, which Node writes before an uncaught error. */
export function isSourcePosition(line: string): boolean {
  return uncaughtStart(line) === 'position'
}

/** Returns the message and the attributes of an uncaught error. */
export function uncaughtValues(
  attributes: ReadRecord['attributes'],
  lines: readonly string[],
): Pick<ReadRecord, 'message' | 'attributes'> {
  const values = new Map<string, AnyValue>(attributes)
  const header = isTraceback(lines[0]!) ? pythonError(lines) : javaScriptError(lines)
  const message = header.replace(prefixPattern, '')
  const [, type, text] = typePattern.exec(message) ?? []
  addExceptionTexts(values, type, type === undefined ? message : text, lines.join('\n').trimEnd())
  return { message, attributes: values }
}

/** Returns the type and the message: they are after the carets of Node, and otherwise in the first line. */
function javaScriptError(lines: readonly string[]): string {
  const carets = lines.findIndex((line) => /^\s*\^+\s*$/.test(line))
  const first = lines.findIndex((line, index) => index > carets && line !== '')
  const [, withoutStack] = bracketsPattern.exec(lines[first] ?? '') ?? []
  if (withoutStack !== undefined) return withoutStack
  const next = lines.findIndex((line, index) => index > first && endPattern.test(line))
  return lines
    .slice(Math.max(first, 0), next < 0 ? undefined : next)
    .join('\n')
    .trimEnd()
}

/** Returns the type and the message: they are after the frames of the last trace. */
function pythonError(lines: readonly string[]): string {
  const prefix = /^[ +]*/.exec(lines[0]!)![0].length
  const texts = prefix === 0 ? lines : lines.map((line) => line.replace(/^ {2}\| /, ''))
  // The exceptions of a group follow its own, with more indentation.
  const end = prefix === 0 ? texts.length : texts.findIndex((line) => /^ {2}\+-/.test(line))
  const own = texts.slice(0, end < 0 ? undefined : end)
  const frame = own.findLastIndex((line) => /^\s/.test(line))
  return own
    .slice(frame + 1)
    .join('\n')
    .trimEnd()
}

const startPattern =
  /^(?:(?:\/|file:|node:|[A-Za-z]:\\).{0,500}:\d+$|\[(?:eval|stdin)\d*\]:\d+$|(?: {2}\+ Exception Group )?Traceback \(most recent call last\):$|(?:Uncaught |Unhandled [Ee]xception[.:] |Exception in thread "[^"]*" )(?=(?:[\w$]+[./])*[\w$]*(?:Error|Exception|Throwable|Rejection)(?: \[[\w.]+\])?(?::|$)))/
/** What Node, Java and .NET write in front of the error. */
const prefixPattern = /^(?:Uncaught |Unhandled [Ee]xception[.:] |Exception in thread "[^"]*" )/
const typePattern = /^((?:[\w$]+[./])*[\w$]+)(?: \[[\w.]+\])?(?:: ([^]*)|$)/
/** An error without a stack, which `util.inspect` writes in brackets. */
const bracketsPattern = /^\[((?:[\w$]+[./])*[\w$]*(?:Error|Exception|Rejection)\b.*)\](?: \{)?$/
/** The line after the message: a frame, another error, or what the runtime adds. */
const endPattern = /^(?:\s+(?:at |\.\.\. |--->)|Caused by: |Node\.js v|\(Use `node )/
