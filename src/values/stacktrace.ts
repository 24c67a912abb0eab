import { type Exception, exceptionOf } from './exception.ts'
import { isError } from './is-error.ts'
import { firstFramePosition, messagePosition, withoutFurtherCopies } from './stack-header.ts'

/** A text that a rule redacts, and its replacement. It is replaced wherever it occurs; if it is very short, only as a whole word. */
export interface RedactedText {
  readonly text: string
  readonly replacement: string
}

/** Options for rendering a stack trace. */
export interface StacktraceOptions {
  /** The maximum number of frames of each error; a marker counts the rest. */
  readonly maxFrames: number
  /**
   * Applies the rules. `path` starts at the error: `['message']`, `['name']`, `['type']`, `['stack']`, `['stacktrace']`, `['cause']`,
   * `['cause', 'message']`, `['errors']`, `['errors', '0']`, `['errors', '0', 'message']`. Returns the replacement of the value ('' if
   * rules remove it), or undefined if no rule redacts it. If the option is undefined, nothing is redacted.
   */
  readonly redact: ((path: readonly string[], value: unknown) => string | undefined) | undefined
  /** Reads an error of the chain. Should be memoized if errors are also read elsewhere. */
  readonly read: (error: object) => Exception
}

/** The options for a whole stack trace without redaction. */
export const unlimitedStacktraceOptions: StacktraceOptions = {
  maxFrames: Infinity,
  redact: undefined,
  read: exceptionOf,
}

/** A stack trace with the texts that were redacted in it, so that copies of the messages (the body) can be redacted in the same way. */
export interface Stacktrace {
  /** The text; undefined if there is nothing to write: no stack, nor, if they are included, causes or `errors`. */
  readonly text: string | undefined
  readonly redactedTexts: readonly RedactedText[]
}

/**
 * Returns the stack of an error, followed by `Caused by: …` for the chain of its causes and `Error 1 of 3: …`, indented, for the `errors`
 * of an AggregateError, which a JavaScript stack does not contain. The result contains errors up to a depth of 16 and 32 in total, with a
 * marker for the rest; a cycle is `[Circular]`. A redacted message is also replaced in the parts of other errors of the chain (see
 * `RedactedText`). Never throws.
 */
export function stacktraceWithCauses(error: object, exception: Exception, options: StacktraceOptions): Stacktrace {
  const { cause, errors } = exception
  const isEmpty = exception.stacktrace === undefined && isNothing(cause) && errors === undefined
  if (isEmpty && options.redact === undefined) return { text: undefined, redactedTexts: [] }
  const writer: Writer = { options, pieces: [], replacements: new Map(), remainingErrors: maxErrors - 1 }
  writeError(writer, exception, { path: [], ancestors: [error], indent: '' })
  const redactedTexts = Array.from(writer.replacements, ([text, replacement]) => ({ text, replacement }))
  return { text: isEmpty ? undefined : joinPieces(writer.pieces, redactedTexts), redactedTexts }
}

/** Returns the stack of the error itself, without its causes and without redaction. */
export function stackWithoutCauses({ message, stacktrace }: Exception, maxFrames: number): Stacktrace {
  const text = stacktrace === undefined ? undefined : limitFrames(stacktrace, message, maxFrames)
  return { text, redactedTexts: noRedactedTexts }
}

const noRedactedTexts: readonly RedactedText[] = []

/**
 * Returns a stack without the redacted message. The header is written again (so any text between the class name and the frames is removed,
 * including an older message), and each occurrence in the frames is replaced.
 */
export function redactedStack(stack: string, message: string, replacement: string): string {
  const { head, frames } = splitAtMessage(withoutFurtherCopies(stack, message), message)
  const redactedTexts = [{ text: message, replacement }]
  return replaceRedactedTexts(head, redactedTexts) + replacement + replaceRedactedTexts(frames, redactedTexts)
}

/** Replaces each occurrence of the redacted texts, the longest first, in one pass. Replacements are not searched again. */
export function replaceRedactedTexts(text: string, redactedTexts: readonly RedactedText[]): string {
  const texts = redactedTexts
    .filter((one) => one.text !== '')
    .toSorted((one, other) => other.text.length - one.text.length)
  return texts.length === 0 ? text : replaceTextsFrom(text, texts, 0)
}

const maxDepth = 16
const maxErrors = 32

interface Writer {
  readonly options: StacktraceOptions
  readonly pieces: Piece[]
  /** The replacement of each redacted text. */
  readonly replacements: Map<string, string>
  /** The number of errors that may still be written. */
  remainingErrors: number
}

/** A piece of the text. */
interface Piece {
  readonly text: string
  /** Whether the piece contains no user text, or is a replacement, so that it is not searched for redacted texts. */
  readonly isFixed: boolean
  readonly indent: string
}

/** Where an error is written. */
interface ErrorPosition {
  /** The keys that lead to it from the first error. */
  readonly path: readonly string[]
  /** The chain of errors from the first one to this one. */
  readonly ancestors: readonly object[]
  readonly indent: string
}

function writeError(writer: Writer, exception: Exception, position: ErrorPosition): void {
  const redact = (member: string, value: unknown) => writer.options.redact?.([...position.path, member], value)
  writeStack(writer, exception, position, redact)

  const { cause, errors } = exception
  if (!isNothing(cause)) writeLinked(writer, '\nCaused by: ', cause, position, ['cause'])
  if (errors === undefined) return
  const replacement = redact('errors', errors)
  if (replacement === undefined) writeErrors(writer, errors, position)
  else if (replacement !== '') addPiece(writer, position, `\nErrors: ${replacement}`, true)
}

function writeStack(
  writer: Writer,
  exception: Exception,
  position: ErrorPosition,
  redact: (member: string, value: unknown) => string | undefined,
): void {
  const { type, message, stacktrace } = exception
  const stack = stacktrace ?? (message === '' ? type : `${type}: ${message}`)
  const maxFrames = writer.options.maxFrames
  const messageReplacement = redact('message', message)
  if (messageReplacement !== undefined && message !== '') writer.replacements.set(message, messageReplacement)
  const typeReplacement = redact('name', type) ?? redact('type', type)
  const stackReplacement = redact('stack', stack) ?? redact('stacktrace', stack)
  if (stackReplacement !== undefined) {
    addPiece(writer, position, stackReplacement, true)
  } else if (messageReplacement === undefined && typeReplacement === undefined) {
    addPiece(writer, position, limitFrames(stack, message, maxFrames), false)
  } else {
    const stackWithOneMessage = messageReplacement === undefined ? stack : withoutFurtherCopies(stack, message)
    const { head, frames } = splitAtMessage(limitFrames(stackWithOneMessage, message, maxFrames), message)
    // A header that is not the name of the type may be arbitrary text before the stack.
    const isFixed = typeReplacement !== undefined || head === `${type}: `
    addPiece(
      writer,
      position,
      typeReplacement === undefined ? head : message === '' ? typeReplacement : `${typeReplacement}: `,
      isFixed,
    )
    addPiece(writer, position, messageReplacement ?? message, messageReplacement !== undefined)
    addPiece(writer, position, frames, false)
  }
}

function writeErrors(writer: Writer, errors: readonly unknown[], position: ErrorPosition): void {
  const innerPosition = { ...position, indent: `${position.indent}    ` }
  const count = lengthOf(errors)
  for (let index = 0; index < count; index++) {
    if (writer.remainingErrors <= 0) return addPiece(writer, innerPosition, `\n... ${count - index} more errors`, true)
    writeLinked(writer, `\nError ${index + 1} of ${count}: `, itemAt(errors, index), innerPosition, [
      'errors',
      String(index),
    ])
  }
}

/**
 * Writes a cause, or an item of `errors`, after its label.
 *
 * @param pathFromError - the keys that lead from the error to the value
 */
function writeLinked(
  writer: Writer,
  label: string,
  value: unknown,
  position: ErrorPosition,
  pathFromError: readonly string[],
): void {
  const path = [...position.path, ...pathFromError]
  const replacement = writer.options.redact?.(path, value)
  if (replacement === '') return
  addPiece(writer, position, label, true)
  writer.remainingErrors--
  if (replacement !== undefined) return addPiece(writer, position, replacement, true)
  if (!isError(value)) return addPiece(writer, position, causeText(value), false)
  if (position.ancestors.includes(value)) return addPiece(writer, position, '[Circular]', true)
  if (writer.remainingErrors < 0 || position.ancestors.length >= maxDepth)
    return addPiece(writer, position, '[More causes]', true)
  const exception = writer.options.read(value)
  writeError(writer, exception, { path, ancestors: [...position.ancestors, value], indent: position.indent })
}

function addPiece(writer: Writer, position: ErrorPosition, text: string, isFixed: boolean): void {
  writer.pieces.push({ text, isFixed, indent: position.indent })
}

function joinPieces(pieces: readonly Piece[], redactedTexts: readonly RedactedText[]): string {
  let text = ''
  for (const piece of pieces) {
    const safe = piece.isFixed ? piece.text : replaceRedactedTexts(piece.text, redactedTexts)
    text += piece.indent === '' ? safe : safe.replaceAll('\n', `\n${piece.indent}`)
  }
  return text
}

/**
 * Returns the text before the message, usually the class name, and the frames with the line break before them. The message itself is in
 * neither. `head` is '' if the message is not found.
 */
function splitAtMessage(stack: string, message: string): { head: string; frames: string } {
  const at = messagePosition(stack, message)
  const first = firstFramePosition(stack, at < 0 ? 0 : at + message.length)
  const head = at < 0 ? '' : stack.slice(0, at)
  return {
    head: message === '' && head !== '' && !head.endsWith(': ') ? `${head}: ` : head,
    frames: first === stack.length ? '' : `\n${stack.slice(first)}`,
  }
}

function limitFrames(stack: string, message: string, maxFrames: number): string {
  if (maxFrames === Infinity) return stack
  const at = messagePosition(stack, message)
  let end = firstFramePosition(stack, at < 0 ? 0 : at + message.length) - 1
  for (let kept = 0; kept < maxFrames && end >= 0; kept++) end = stack.indexOf('\n', end + 1)
  if (end < 0 || end >= stack.length - 1) return stack
  return `${stack.slice(0, end)}\n    ... ${stack.slice(end + 1).split('\n').length} more frames`
}

/** A text with fewer UTF-16 units occurs in other texts by chance, so it is replaced only as a whole word. */
const shortTextLength = 4

/** Replaces `redactedTexts[index]` and all later ones. Each is searched only in the text between the matches of the earlier ones. */
function replaceTextsFrom(text: string, redactedTexts: readonly RedactedText[], index: number): string {
  const one = redactedTexts[index]
  if (one === undefined) return text
  if (!text.includes(one.text)) return replaceTextsFrom(text, redactedTexts, index + 1)
  return text
    .split(one.text.length < shortTextLength ? wholeWord(one.text) : one.text)
    .map((piece) => replaceTextsFrom(piece, redactedTexts, index + 1))
    .join(one.replacement)
}

/** Returns an expression for a text that is not part of a longer word. */
function wholeWord(text: string): RegExp {
  const literal = Array.from(text, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join('')
  const before = /^[\p{L}\p{N}_]/u.test(text) ? '(?<![\\p{L}\\p{N}_])' : ''
  const after = /[\p{L}\p{N}_]$/u.test(text) ? '(?![\\p{L}\\p{N}_])' : ''
  return new RegExp(before + literal + after, 'u')
}

/** Returns the text of a cause that is not an Error. */
function causeText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'function') return '[Function]'
  if (typeof value !== 'object' || value === null) return String(value)
  return '[Object]'
}

function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

// `lengthOf` and `itemAt` catch errors, because the array may be a proxy.
function lengthOf(errors: readonly unknown[]): number {
  try {
    const length: unknown = errors.length
    return typeof length === 'number' ? length : 0
  } catch {
    return 0
  }
}

function itemAt(errors: readonly unknown[], index: number): unknown {
  try {
    return errors[index]
  } catch {
    return '[Threw]'
  }
}
