// A class name, with the optional code of Node's own errors: "TypeError [ERR_X]: ".
const header = /^[\w$.]+(?: \[\w+\])?(?:: |$)/

/**
 * Returns a stack whose first line contains the message. V8 captures the first line when an error is created, so it lacks a message that
 * was set later, and a replaced stack may lack it too. The line is then written again, so that `message` can be found in the stack and
 * redacted there.
 */
export function withHeader(stack: string, builtIn: string | undefined, type: string, message: string): string {
  if (builtIn !== undefined && isHeadedBy(stack, builtIn, message)) return stack
  if (messageAt(stack, message) >= 0) return stack
  const first = message === '' ? type : `${type}: ${message}`
  const own = withoutCopies(stack, message)
  const at = messageIn(own, message)
  const rest = own.slice(firstFrame(own, at < 0 ? 0 : at + message.length))
  return rest === '' ? (stack === '' ? first : `${first}\n${stack}`) : `${first}\n${rest}`
}

/** Returns whether a stack begins with the class name and the message, as most do. It takes a tenth of the time of `messageAt`. */
function isHeadedBy(stack: string, name: string, message: string): boolean {
  const at = name.length
  const end = at + 2 + message.length
  return (
    message !== '' &&
    stack.charCodeAt(at) === colon &&
    stack.charCodeAt(at + 1) === space &&
    stack.startsWith(name) &&
    stack.slice(at + 2, end) === message &&
    (end === stack.length || stack.charCodeAt(end) === lineFeed)
  )
}

const lineFeed = 10
const space = 32
const colon = 58

/** Returns the position of `message` in the first lines of a stack that begins with it; -1 if the stack does not. */
export function messageAt(stack: string, message: string): number {
  const at = header.exec(message === '' ? stack.slice(0, endOfLine(stack, 0)) : stack)?.[0].length ?? 0
  const end = at + message.length
  return stack.startsWith(message, at) && end === endOfLine(stack, end) && end > 0 ? at : -1
}

/**
 * Returns the position of the message in a stack, also after a header that is not a class name; -1 if the stack does not begin with it. A
 * message with lines that look like frames must be found before the frames, which would otherwise begin inside the message.
 */
export function messageIn(stack: string, message: string): number {
  const at = messageAt(stack, message)
  return at < 0 && firstFrame(message, 0) < message.length ? stack.indexOf(message) : at
}

/**
 * Returns a stack in which a message with lines that look like frames occurs only once, because further copies would be mistaken for
 * frames.
 */
export function withoutCopies(stack: string, message: string): string {
  const at = firstFrame(message, 0) < message.length ? stack.indexOf(message) : -1
  if (at < 0) return stack
  const end = at + message.length
  return stack.slice(0, end) + stack.slice(end).replaceAll(message, '')
}

/** Returns the position of the first line at or after `from` that looks like V8's `    at …`; the end of the stack if there is none. */
export function firstFrame(stack: string, from: number): number {
  frameLine.lastIndex = from
  return frameLine.exec(stack)?.index ?? stack.length
}

const frameLine = /^[ \t]+at /gm

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
