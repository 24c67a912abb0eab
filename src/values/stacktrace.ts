import { type Exception, exceptionOf } from './exception.ts'
import { isError } from './is-error.ts'
import { firstFrame, messageIn, withoutCopies } from './stack-header.ts'

/** A text that a rule redacts, and its replacement. */
export interface RedactedParts {
  readonly text: string
  readonly replacement: string
}

/** Options for rendering a stack trace. */
export interface StacktraceOptions {
  /** The maximum number of frames of each error; a marker counts the rest. */
  readonly frames: number
  /**
   * Applies the rules. `path` starts at the error: `['message']`, `['stack']`, `['stacktrace']`, `['cause']`,
   * `['cause', 'message']`, `['errors']`, `['errors', '0', 'message']`. Returns the replacement of the value ('' if rules remove it), or
   * undefined if no rule redacts it. If the option is undefined, nothing is redacted.
   */
  readonly redact: ((path: readonly string[], value: unknown) => string | undefined) | undefined
  /** Reads an error of the chain. Should be memoized if errors are also read elsewhere. */
  readonly read: (error: object) => Exception
}

/** The options for a whole stack trace without redaction. */
export const unlimited: StacktraceOptions = { frames: Infinity, redact: undefined, read: exceptionOf }

/** A stack trace with the texts that were redacted in it, so that copies of the messages (the body) can be redacted in the same way. */
export interface Stacktrace {
  /** The text; undefined if the error has neither a stack nor causes. */
  readonly text: string | undefined
  readonly redactedTexts: readonly RedactedParts[]
}

/**
 * Returns the stack of an error, followed by `Caused by: …` for the chain of its causes and `Error 1 of 3: …`, indented, for the `errors`
 * of an AggregateError (EXC3; a JavaScript stack does not contain them). It contains errors up to a depth of 16 and 32 in total, with a
 * marker for the rest; a cycle is `[Circular]`. A redacted message is replaced wherever it occurs, also in the part of another error of the
 * chain. Never throws.
 */
export function stacktraceWithCauses(error: object, exception: Exception, options: StacktraceOptions): Stacktrace {
  const { cause, errors } = exception
  const isEmpty = exception.stacktrace === undefined && isNothing(cause) && errors === undefined
  if (isEmpty && options.redact === undefined) return { text: undefined, redactedTexts: [] }
  const writer: Writer = { options, pieces: [], covered: new Map(), left: maxErrors - 1 }
  writeError(writer, exception, { path: [], ancestors: [error], indent: '' })
  const covered = Array.from(writer.covered, ([text, replacement]) => ({ text, replacement }))
  return { text: isEmpty ? undefined : joined(writer.pieces, covered), redactedTexts: covered }
}

/** Returns the stack of the error itself, without redaction. */
export function ownStack({ message, stacktrace }: Exception, frames: number): Stacktrace {
  const text = stacktrace === undefined ? undefined : limitFrames(stacktrace, message, frames)
  return { text, redactedTexts: nothing }
}

const nothing: readonly RedactedParts[] = []

/**
 * Returns a stack without the redacted message. The header is written again (so any text between the class name and the frames is removed,
 * including an older message), and each occurrence in the frames is replaced.
 */
export function redactedStack(stack: string, message: string, replacement: string): string {
  const { head, frames } = divided(withoutCopies(stack, message), message)
  const covered = [{ text: message, replacement }]
  return redactParts(head, covered) + replacement + redactParts(frames, covered)
}

/** Replaces each occurrence of the redacted texts, the longest first, in one pass. Replacements are not searched again. */
export function redactParts(text: string, covered: readonly RedactedParts[]): string {
  const texts = covered.filter((one) => one.text !== '').toSorted((one, other) => other.text.length - one.text.length)
  return texts.length === 0 ? text : replaceFrom(text, texts, 0)
}

const maxDepth = 16
const maxErrors = 32

interface Writer {
  readonly options: StacktraceOptions
  readonly pieces: Piece[]
  readonly covered: Map<string, string>
  /** The number of errors that may still be written. */
  left: number
}

/** A piece of the text. A `fixed` piece contains no user text, or is a replacement, and is not searched for redacted texts. */
interface Piece {
  readonly text: string
  readonly fixed: boolean
  readonly indent: string
}

interface Place {
  readonly path: readonly string[]
  readonly ancestors: readonly object[]
  readonly indent: string
}

function writeError(writer: Writer, exception: Exception, place: Place): void {
  const redact = (member: string, value: unknown) => writer.options.redact?.([...place.path, member], value)
  writeStack(writer, exception, place, redact)

  const { cause, errors } = exception
  if (!isNothing(cause)) writeLinked(writer, '\nCaused by: ', cause, place, ['cause'])
  if (errors === undefined) return
  const replacement = redact('errors', errors)
  if (replacement === undefined) writeErrors(writer, errors, place)
  else if (replacement !== '') put(writer, place, `\nErrors: ${replacement}`, true)
}

function writeStack(
  writer: Writer,
  exception: Exception,
  place: Place,
  redact: (member: string, value: unknown) => string | undefined,
): void {
  const { type, message, stacktrace } = exception
  const stack = stacktrace ?? (message === '' ? type : `${type}: ${message}`)
  const limit = writer.options.frames
  const replacement = redact('message', message)
  if (replacement !== undefined && message !== '') writer.covered.set(message, replacement)
  const named = redact('name', type) ?? redact('type', type)
  const whole = redact('stack', stack) ?? redact('stacktrace', stack)
  if (whole !== undefined) {
    put(writer, place, whole, true)
  } else if (replacement === undefined && named === undefined) {
    put(writer, place, limitFrames(stack, message, limit), false)
  } else {
    const own = replacement === undefined ? stack : withoutCopies(stack, message)
    const { head, frames } = divided(limitFrames(own, message, limit), message)
    // A header that is not the name of the type may be arbitrary text before the stack.
    const isFixed = named !== undefined || head === `${type}: `
    put(writer, place, named === undefined ? head : message === '' ? named : `${named}: `, isFixed)
    put(writer, place, replacement ?? message, replacement !== undefined)
    put(writer, place, frames, false)
  }
}

function writeErrors(writer: Writer, errors: readonly unknown[], place: Place): void {
  const inner = { ...place, indent: `${place.indent}    ` }
  const count = lengthOf(errors)
  for (let index = 0; index < count; index++) {
    if (writer.left <= 0) return put(writer, inner, `\n... ${count - index} more errors`, true)
    writeLinked(writer, `\nError ${index + 1} of ${count}: `, at(errors, index), inner, ['errors', String(index)])
  }
}

/** Writes a cause, or an item of `errors`, after its label. */
function writeLinked(writer: Writer, label: string, value: unknown, place: Place, members: readonly string[]): void {
  const path = [...place.path, ...members]
  const replacement = writer.options.redact?.(path, value)
  if (replacement === '') return
  put(writer, place, label, true)
  writer.left--
  if (replacement !== undefined) return put(writer, place, replacement, true)
  if (!isError(value)) return put(writer, place, plain(value), false)
  if (place.ancestors.includes(value)) return put(writer, place, '[Circular]', true)
  if (writer.left < 0 || place.ancestors.length >= maxDepth) return put(writer, place, '[More causes]', true)
  const exception = writer.options.read(value)
  writeError(writer, exception, { path, ancestors: [...place.ancestors, value], indent: place.indent })
}

function put(writer: Writer, place: Place, text: string, fixed: boolean): void {
  writer.pieces.push({ text, fixed, indent: place.indent })
}

function joined(pieces: readonly Piece[], covered: readonly RedactedParts[]): string {
  let text = ''
  for (const piece of pieces) {
    const safe = piece.fixed ? piece.text : redactParts(piece.text, covered)
    text += piece.indent === '' ? safe : safe.replaceAll('\n', `\n${piece.indent}`)
  }
  return text
}

/** Returns the class name before the message, and the frames with the line break before them. */
function divided(stack: string, message: string): { head: string; frames: string } {
  const at = messageIn(stack, message)
  const first = firstFrame(stack, at < 0 ? 0 : at + message.length)
  const head = at < 0 ? '' : stack.slice(0, at)
  return {
    head: message === '' && head !== '' && !head.endsWith(': ') ? `${head}: ` : head,
    frames: first === stack.length ? '' : `\n${stack.slice(first)}`,
  }
}

function limitFrames(stack: string, message: string, limit: number): string {
  if (limit === Infinity) return stack
  const at = messageIn(stack, message)
  let end = firstFrame(stack, at < 0 ? 0 : at + message.length) - 1
  for (let kept = 0; kept < limit && end >= 0; kept++) end = stack.indexOf('\n', end + 1)
  if (end < 0 || end >= stack.length - 1) return stack
  return `${stack.slice(0, end)}\n    ... ${stack.slice(end + 1).split('\n').length} more frames`
}

/** A text shorter than this occurs in other texts by chance, so it is replaced only as a whole word. */
const shortText = 4

function replaceFrom(text: string, covered: readonly RedactedParts[], index: number): string {
  const one = covered[index]
  if (one === undefined) return text
  if (!text.includes(one.text)) return replaceFrom(text, covered, index + 1)
  return text
    .split(one.text.length < shortText ? asWord(one.text) : one.text)
    .map((piece) => replaceFrom(piece, covered, index + 1))
    .join(one.replacement)
}

function asWord(text: string): RegExp {
  const literal = Array.from(text, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join('')
  const before = /^[\p{L}\p{N}_]/u.test(text) ? '(?<![\\p{L}\\p{N}_])' : ''
  const after = /[\p{L}\p{N}_]$/u.test(text) ? '(?![\\p{L}\\p{N}_])' : ''
  return new RegExp(before + literal + after, 'u')
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'function') return '[Function]'
  if (typeof value !== 'object' || value === null) return String(value)
  return '[Object]'
}

function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

// The array may be a proxy.
function lengthOf(errors: readonly unknown[]): number {
  try {
    const length: unknown = errors.length
    return typeof length === 'number' ? length : 0
  } catch {
    return 0
  }
}

function at(errors: readonly unknown[], index: number): unknown {
  try {
    return errors[index]
  } catch {
    return '[Threw]'
  }
}
