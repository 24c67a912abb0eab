import { counted } from '../../options/counted.ts'
import { sgr, type Paint } from './colors.ts'
import { frameText, parseFrame, type StackFrame } from './stack-frame.ts'
import { escapeForTerminal, escapedLines } from './visible.ts'

/** How stack traces are shown. */
export interface StackStyle {
  readonly paint: Paint
  /** The directory that paths become relative to, with `/` as the separator and at its end; '' to keep them. */
  readonly workingDirectory: string
  /** The maximum number of frames of each error. */
  readonly maxFrames: number
  /** Whether only frames of the program are shown; those of Node and of packages are counted. */
  readonly showsOnlyOwnFrames: boolean
  /** Whether consecutive frames of `node:internal` are one line. */
  readonly foldsInternalFrames: boolean
}

/** The part of a stack trace that belongs to one error of a chain of causes. */
interface ErrorSection {
  /** The spaces before each line, which are more for the errors of an AggregateError. */
  readonly indent: string
  /** `Caused by: ` or `Error 1 of 2: `; '' for the first error. */
  readonly label: string
  /** The type and the message. */
  readonly header: string[]
  /** The frames in order. A line between or after them that is not a frame is a string. */
  readonly frames: (StackFrame | string)[]
}

/**
 * Returns the lines of a stack trace as `values/stacktrace.ts` creates it: the type and the message of each error, then its frames
 * without those that its parent (`parentOf`) also has.
 *
 * @param omitsHeader - whether the line of the record already contains the type and the message of the first error
 */
export function stackLines(text: string, style: StackStyle, omitsHeader = false): string[] {
  const sections = parseSections(text, style.workingDirectory)
  const lines = sections.flatMap((section, index) => {
    const shownFrames = framesOf(section, parentOf(sections, index), style)
    const hasHeader = section.header.length > 0 && (index > 0 || !omitsHeader)
    const header = hasHeader ? headerLines(section, style.paint) : []
    return [...header, ...shownFrames.map((line) => `  ${line}`)].map((line) => section.indent + line)
  })
  const omitted = lines.length - maxLines
  return omitted > 0 ? [...lines.slice(0, maxLines), style.paint(sgr.dim, `…[+${counted(omitted, 'line')}]`)] : lines
}

/** The maximum number of lines of a stack, so that no record fills the terminal. */
const maxLines = 1_000

/** The labels of `values/stacktrace.ts`, that of pino (`caused by: `), and that of an uncaught error of Node (`[cause]: `). */
const labelPattern = /^(?:((?: {4}){0,15})(Caused by: |Error \d+ of \d+: )|caused by: | *\[cause\]: )/

function parseSections(text: string, workingDirectory: string): ErrorSection[] {
  let section: ErrorSection = { indent: '', label: '', header: [], frames: [] }
  const sections = [section]
  for (const line of text.split('\n')) {
    const [start = '', indent = '', label = start && 'Caused by: '] = labelPattern.exec(line) ?? []
    if (label !== '' && sections.length < maxSections && canFollowIndent(section.indent, indent, label)) {
      section = { indent, label, header: [line.slice(start.length)], frames: [] }
      sections.push(section)
      continue
    }
    const frame = parseFrame(line, workingDirectory)
    const ownLine = line.startsWith(section.indent) ? line.slice(section.indent.length) : line
    if (frame !== undefined) section.frames.push(frame)
    else if (section.frames.length === 0) section.header.push(ownLine)
    else section.frames.push(ownLine.trim())
  }
  return sections
}

/** The maximum number of errors. Further labels are data. `parentOf` searches all errors before one, in quadratic time. */
const maxSections = 64

/**
 * Returns whether an error with this indent and label can follow one with the indent `previous`. If not, the line is data, such as a line
 * of a message.
 */
function canFollowIndent(previous: string, indent: string, label: string): boolean {
  if (label === 'Caused by: ') return indent.length <= previous.length
  return indent.length >= errorsIndent && indent.length <= previous.length + errorsIndent
}

/** The additional indent of the errors of an AggregateError. */
const errorsIndent = 4

/** Returns the error whose cause or item an error is: the last one before it whose indent is smaller, or equal for a cause. */
function parentOf(sections: readonly ErrorSection[], index: number): ErrorSection | undefined {
  const { indent, label } = sections[index]!
  const maxIndent = label === 'Caused by: ' ? indent.length : indent.length - 1
  return sections.slice(0, index).findLast((section) => section.indent.length <= maxIndent)
}

function headerLines({ label, header }: ErrorSection, paint: Paint): string[] {
  const [first = '', ...more] = escapedLines(header.join('\n'), paint)
  const type = /^[\w$.]+(?: \[\w+\])?(?=:|$)/.exec(first)?.[0] ?? ''
  const headline = (type === '' ? '' : paint(sgr.red, type)) + first.slice(type.length)
  return [label === '' ? headline : paint(sgr.dim, label) + headline, ...more.map((line) => `  ${line}`)]
}

function framesOf(section: ErrorSection, parent: ErrorSection | undefined, style: StackStyle): string[] {
  const { frames } = section
  if (style.maxFrames === 0) return []
  const shared = parent === undefined ? noFrames : sharedFrames(frames, parent.frames)
  if (shared.count === 0) return frameLines(frames, style.maxFrames, style)
  const before = frameLines(frames.slice(0, shared.start), style.maxFrames, style)
  const after = frames.slice(shared.start + shared.count)
  const room = Math.max(0, style.maxFrames - before.length)
  return [...before, style.paint(sgr.dim, `… ${shared.count} frames as above`), ...frameLines(after, room, style)]
}

/** Returns the lines of frames: at most `maxFrames`, and the number of the others. */
function frameLines(
  frames: readonly (StackFrame | string)[],
  maxFrames: number,
  { paint, showsOnlyOwnFrames, foldsInternalFrames }: StackStyle,
): string[] {
  const candidates = showsOnlyOwnFrames ? frames.filter((frame) => typeof frame === 'string' || frame.isOwn) : frames
  const shown = candidates.slice(0, maxFrames)
  const lines: string[] = []
  for (let index = 0; index < shown.length; index++) {
    const internalCount = foldsInternalFrames ? countInternal(shown, index) : 0
    const frame = shown[index]!
    if (internalCount > 1) {
      lines.push(paint(sgr.dim, `… ${internalCount} frames of node:internal`))
      index += internalCount - 1
    } else lines.push(typeof frame === 'string' ? paint(sgr.dim, escapeForTerminal(frame)) : frameText(frame, paint))
  }
  const omitted = frames.length - shown.length
  if (omitted > 0) lines.push(paint(sgr.dim, `… ${counted(omitted, 'more frame')}`))
  return lines
}

/** Returns the number of consecutive frames of `node:internal` from an index on. */
function countInternal(frames: readonly (StackFrame | string)[], start: number): number {
  let end = start
  while (end < frames.length && isInternal(frames[end]!)) end++
  return end - start
}

function isInternal(frame: StackFrame | string): boolean {
  return typeof frame !== 'string' && frame.location.startsWith('node:internal/')
}

/** Consecutive frames of an error that its parent also has. */
interface SharedFrames {
  readonly start: number
  readonly count: number
}

const noFrames: SharedFrames = { start: 0, count: 0 }

/**
 * Returns the frames that an error shares with its parent. V8 limits the number of frames, so the last frame of one stack can be in the
 * middle of the other. The frames before it are compared from there, in linear time.
 */
function sharedFrames(
  frames: readonly (StackFrame | string)[],
  parentFrames: readonly (StackFrame | string)[],
): SharedFrames {
  const keys = frames.map(keyOf)
  const parentKeys = parentFrames.map(keyOf)
  const last = parentKeys.lastIndexOf(keys.at(-1) ?? '')
  const count = commonCount(keys, keys.length - 1, parentKeys, last)
  if (count > 0) return { start: keys.length - count, count }
  const end = keys.lastIndexOf(parentKeys.at(-1) ?? '')
  const countToEnd = commonCount(keys, end, parentKeys, parentKeys.length - 1)
  return countToEnd > 0 ? { start: end + 1 - countToEnd, count: countToEnd } : noFrames
}

/** Returns how many frames up to these two are the same; 0 for a single one, which is not worth a line about it. */
function commonCount(keys: readonly string[], end: number, parentKeys: readonly string[], parentEnd: number): number {
  let count = 0
  while (count <= Math.min(end, parentEnd) && keys[end - count] === parentKeys[parentEnd - count]) count++
  return count > 1 ? count : 0
}

function keyOf(frame: StackFrame | string): string {
  return typeof frame === 'string' ? frame : `${frame.functionName} (${frame.location}`
}
