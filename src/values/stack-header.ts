/** The class name at the start of a stack, with the optional code of Node's own errors: "TypeError [ERR_X]: ". */
const classNamePattern = /^[\w$.]+(?: \[\w+\])?(?:: |$)/

/**
 * Returns a stack that begins with the message, optionally after a class name. V8 renders a stack once, when it is first read, so the stack
 * lacks a message that was set after that, and a stack that the program has set may lack it too. The lines before the frames are then
 * replaced by the type and the message, so that `message` can be found in the stack and redacted there. A stack without frames is kept
 * below them.
 *
 * @param builtInName - the `name` of the error if it is that of a built-in class; a stack that begins with this name is recognized faster
 */
export function withHeader(stack: string, builtInName: string | undefined, type: string, message: string): string {
  if (builtInName !== undefined && isHeadedBy(stack, builtInName, message)) return stack
  if (headerMessagePosition(stack, message) >= 0) return stack
  const header = message === '' ? type : `${type}: ${message}`
  const withOneMessage = withoutFurtherCopies(stack, message)
  const messageStart = messagePosition(withOneMessage, message)
  const frames = withOneMessage.slice(
    firstFramePosition(withOneMessage, messageStart < 0 ? 0 : messageStart + message.length),
  )
  return frames === '' ? (stack === '' ? header : `${header}\n${stack}`) : `${header}\n${frames}`
}

/**
 * Returns whether a stack begins with the class name and a message that is not empty, as most do. This test takes a tenth of the time of
 * `headerMessagePosition`.
 */
function isHeadedBy(stack: string, className: string, message: string): boolean {
  const at = className.length
  const end = at + 2 + message.length
  return (
    message !== '' &&
    stack.charCodeAt(at) === colon &&
    stack.charCodeAt(at + 1) === space &&
    stack.startsWith(className) &&
    stack.slice(at + 2, end) === message &&
    (end === stack.length || stack.charCodeAt(end) === lineFeed)
  )
}

const lineFeed = 10
const space = 32
const colon = 58

/**
 * Returns the position of `message` in a stack that begins with it, optionally after a class name; -1 if the stack does not, or if its line
 * contains more text after the message.
 */
export function headerMessagePosition(stack: string, message: string): number {
  const at = classNamePattern.exec(message === '' ? stack.slice(0, endOfLine(stack, 0)) : stack)?.[0].length ?? 0
  const end = at + message.length
  return stack.startsWith(message, at) && end === endOfLine(stack, end) && end > 0 ? at : -1
}

/**
 * Returns the position of the message in a stack: at the start, as `headerMessagePosition` does, or for a message with lines that look like
 * frames its first occurrence anywhere, because otherwise the frames would seem to begin inside the message. Returns -1 if it is not found.
 */
export function messagePosition(stack: string, message: string): number {
  const at = headerMessagePosition(stack, message)
  return at < 0 && firstFramePosition(message, 0) < message.length ? stack.indexOf(message) : at
}

/**
 * Returns a stack in which a message with lines that look like frames occurs only once, because further copies would be mistaken for
 * frames.
 */
export function withoutFurtherCopies(stack: string, message: string): string {
  const at = firstFramePosition(message, 0) < message.length ? stack.indexOf(message) : -1
  if (at < 0) return stack
  const end = at + message.length
  return stack.slice(0, end) + stack.slice(end).replaceAll(message, '')
}

/** Returns the position of the first line at or after `from` that looks like V8's `    at …`; the end of the stack if no line does. */
export function firstFramePosition(stack: string, from: number): number {
  frameLine.lastIndex = from
  return frameLine.exec(stack)?.index ?? stack.length
}

const frameLine = /^[ \t]+at /gm

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
