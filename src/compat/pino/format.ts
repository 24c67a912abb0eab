/** Writes values into a message. */
export interface Insert {
  /** A value as JSON; undefined for what has none. */
  readonly alone: (value: unknown) => string | undefined
  /** The text of a list where a rule changes it. */
  readonly listed: (list: readonly unknown[]) => string | undefined
  /** The text of an object, redacted. */
  readonly masked: (text: string) => string
}

/**
 * Fills the placeholders of a message with its arguments, as pino does: `%d %f %i %j %o %O %s %%`. What is left over is not
 * said, and what is no text is returned as it is, or, with arguments, as their JSON.
 */
export function format(message: unknown, args: readonly unknown[], insert: Insert): unknown {
  if (typeof message === 'object' && message !== null) {
    if (args.length === 0) return message
    // The first argument has no place in it.
    return [message, ...args.slice(1), undefined].map(insert.alone).join(' ')
  }
  if (typeof message !== 'string' || args.length === 0) return message
  if (!message.includes('%')) return message
  return filled(message, args, insert)
}

function filled(message: string, args: readonly unknown[], insert: Insert): string {
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
    // A percent sign of any kind uses an argument up.
    const value = args[next]
    const said = next < args.length ? placed(kind, value, insert) : undefined
    next++
    if (said === undefined) {
      at++
      continue
    }
    text += message.slice(from, at) + said
    at = from = at + 2
  }
  return text + message.slice(from)
}

/** What stands in place of a placeholder; undefined where it stays. */
function placed(kind: string, value: unknown, insert: Insert): string | undefined {
  switch (kind) {
    case 'd':
    case 'f':
      return isNothing(value) ? undefined : guarded(() => String(Number(value)), 'NaN')
    case 'i':
      return isNothing(value) ? undefined : guarded(() => String(Math.floor(Number(value))), 'NaN')
    case 's':
      return guarded(() => textOf(value, insert), '[Threw]')
    case 'j':
    case 'o':
    case 'O':
      if (value === undefined) return undefined
      if (typeof value === 'string') return `'${value}'`
      if (typeof value === 'function') return guarded(() => value.name, '') || '<anonymous>'
      return String(insert.alone(value))
    default:
      return undefined
  }
}

function textOf(value: unknown, insert: Insert): string {
  const text = Array.isArray(value) ? (insert.listed(value) ?? String(value)) : String(value)
  return typeof value === 'object' ? insert.masked(text) : text
}

/** Conversions are code of users. */
function guarded(convert: () => string, otherwise: string): string {
  try {
    return convert()
  } catch {
    return otherwise
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}
