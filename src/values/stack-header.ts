// One class-like word, and the code that Node's own errors carry: "TypeError [ERR_X]: ".
const header = /^[\w$.]+(?: \[\w+\])?(?:: |$)/

/**
 * V8 captures the first line when an error is made; a message (or the whole stack) set later is not in it. Then the
 * line is made anew, so that `message` can be found in the stack, and covered there.
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

/** Whether a stack begins with the name of a class and the message, as most do: a tenth of the time of `messageAt`. */
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

/** Where `message` stands in the first line(s) of a stack that is headed by it; -1 when the stack is not. */
export function messageAt(stack: string, message: string): number {
  const at = header.exec(message === '' ? stack.slice(0, endOfLine(stack, 0)) : stack)?.[0].length ?? 0
  const end = at + message.length
  return stack.startsWith(message, at) && end === endOfLine(stack, end) && end > 0 ? at : -1
}

/**
 * Where the message stands in a stack, also behind a header that is no class's; -1 where nothing can be mistaken for it. A
 * message that has lines like those of frames itself must be found before frames are looked for: they would begin inside it.
 */
export function messageIn(stack: string, message: string): number {
  const at = messageAt(stack, message)
  return at < 0 && firstFrame(message, 0) < message.length ? stack.indexOf(message) : at
}

/** A stack in which a message that has lines like those of frames stands once: further copies would be taken for frames. */
export function withoutCopies(stack: string, message: string): string {
  const at = firstFrame(message, 0) < message.length ? stack.indexOf(message) : -1
  if (at < 0) return stack
  const end = at + message.length
  return stack.slice(0, end) + stack.slice(end).replaceAll(message, '')
}

/** Where the first line that looks like V8's `    at …` starts, at or after `from`; the end of the stack without one. */
export function firstFrame(stack: string, from: number): number {
  frameLine.lastIndex = from
  return frameLine.exec(stack)?.index ?? stack.length
}

const frameLine = /^[ \t]+at /gm

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
