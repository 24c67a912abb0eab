/** Converts the values that are inserted into a message. */
export interface Insert {
  /** Returns a value as JSON; undefined if it has none. */
  readonly alone: (value: unknown) => string | undefined
  /** Returns the text of a list if a redaction rule changes it, otherwise undefined. */
  readonly listed: (list: readonly unknown[]) => string | undefined
  /** Returns the text of an object, redacted. */
  readonly masked: (text: string) => string
}

/**
 * Replaces the placeholders of a message with its arguments, as pino does: `%d %f %i %j %o %O %s %%`. Extra arguments are ignored. A
 * message that is not a string is returned unchanged, or, with arguments, as their JSON.
 */
export function format(message: unknown, args: readonly unknown[], insert: Insert): unknown {
  if (typeof message === 'object' && message !== null) {
    if (args.length === 0) return message
    // As in pino, the first argument is omitted.
    return [message, ...args.slice(1), undefined].map(insert.alone).join(' ')
  }
  if (typeof message !== 'string' || args.length === 0) return message
  if (!message.includes('%')) return message
  return fillPlaceholders(message, args, insert)
}

function fillPlaceholders(message: string, args: readonly unknown[], insert: Insert): string {
  let text = ''
  let from = 0
  let next = 0
  for (let at = message.indexOf('%'); at >= 0 && at + 1 < message.length; at = message.indexOf('%', at)) {
    const kind = message[at + 1]!
    if (kind === '%') {
      text += message.slice(from, at) + '%'
      at = from = at + 2
      continue
    }
    // Every percent sign consumes an argument, even before an unknown placeholder.
    const value = args[next]
    const replacement = next < args.length ? replacementOf(kind, value, insert) : undefined
    next++
    if (replacement === undefined) {
      at++
      continue
    }
    text += message.slice(from, at) + replacement
    at = from = at + 2
  }
  return text + message.slice(from)
}

/** Returns the replacement of a placeholder; undefined if the placeholder is kept. */
function replacementOf(kind: string, value: unknown, insert: Insert): string | undefined {
  switch (kind) {
    case 'd':
    case 'f':
      return isNothing(value) ? undefined : convertSafely(() => String(Number(value)), 'NaN')
    case 'i':
      return isNothing(value) ? undefined : convertSafely(() => String(Math.floor(Number(value))), 'NaN')
    case 's':
      return convertSafely(() => textOf(value, insert), '[Threw]')
    case 'j':
    case 'o':
    case 'O':
      if (value === undefined) return undefined
      if (typeof value === 'string') return `'${value}'`
      if (typeof value === 'function') return convertSafely(() => value.name, '') || '<anonymous>'
      return String(insert.alone(value))
    default:
      return undefined
  }
}

function textOf(value: unknown, insert: Insert): string {
  const text = Array.isArray(value) ? (insert.listed(value) ?? String(value)) : String(value)
  return typeof value === 'object' ? insert.masked(text) : text
}

/** Calls a conversion, which can run user code. */
function convertSafely(convert: () => string, fallback: string): string {
  try {
    return convert()
  } catch {
    return fallback
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}
