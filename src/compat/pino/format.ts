/** Formats the values that are inserted into a message. */
export interface ValueFormatter {
  /** Returns a value as redacted JSON; undefined if it has none. */
  readonly redactedJson: (value: unknown) => string | undefined
  /** Returns the text of a list if a redaction rule changes it, otherwise undefined. */
  readonly redactedListText: (list: readonly unknown[]) => string | undefined
  /** Returns the text of an object, redacted. */
  readonly redactObjectText: (text: string) => string
}

/**
 * Replaces the placeholders of a message with its arguments, as pino does: `%d %f %i %j %o %O %s %%`. Extra arguments are ignored.
 * Without arguments, any message is returned unchanged. With arguments, an object as the message is returned as JSON, followed by that of
 * the arguments after the first.
 */
export function format(message: unknown, args: readonly unknown[], formatter: ValueFormatter): unknown {
  if (typeof message === 'object' && message !== null) {
    if (args.length === 0) return message
    // As in pino, the first argument is omitted, and the text ends with a space.
    return [message, ...args.slice(1), undefined].map(formatter.redactedJson).join(' ')
  }
  if (typeof message !== 'string' || args.length === 0) return message
  if (!message.includes('%')) return message
  return fillPlaceholders(message, args, formatter)
}

function fillPlaceholders(message: string, args: readonly unknown[], formatter: ValueFormatter): string {
  let text = ''
  let copiedUntil = 0
  let argumentIndex = 0
  for (let at = message.indexOf('%'); at >= 0 && at + 1 < message.length; at = message.indexOf('%', at)) {
    const kind = message[at + 1]!
    if (kind === '%') {
      text += message.slice(copiedUntil, at) + '%'
      at = copiedUntil = at + 2
      continue
    }
    // Any other character after a percent sign consumes an argument, even if it is not a placeholder.
    const value = args[argumentIndex]
    const replacement = argumentIndex < args.length ? replacementOf(kind, value, formatter) : undefined
    argumentIndex++
    if (replacement === undefined) {
      at++
      continue
    }
    text += message.slice(copiedUntil, at) + replacement
    at = copiedUntil = at + 2
  }
  return text + message.slice(copiedUntil)
}

/** Returns the replacement of a placeholder; undefined if the placeholder is kept. */
function replacementOf(kind: string, value: unknown, formatter: ValueFormatter): string | undefined {
  switch (kind) {
    case 'd':
    case 'f':
      return isNullish(value) ? undefined : convertSafely(() => String(Number(value)), 'NaN')
    case 'i':
      return isNullish(value) ? undefined : convertSafely(() => String(Math.floor(Number(value))), 'NaN')
    case 's':
      return convertSafely(() => textOf(value, formatter), '[Threw]')
    case 'j':
    case 'o':
    case 'O':
      if (value === undefined) return undefined
      if (typeof value === 'string') return `'${value}'`
      if (typeof value === 'function') return convertSafely(() => value.name, '') || '<anonymous>'
      return String(formatter.redactedJson(value))
    default:
      return undefined
  }
}

/** Returns the text of a value for `%s`. */
function textOf(value: unknown, formatter: ValueFormatter): string {
  const text = Array.isArray(value) ? (formatter.redactedListText(value) ?? String(value)) : String(value)
  return typeof value === 'object' ? formatter.redactObjectText(text) : text
}

/** Calls a conversion, which can run user code. */
function convertSafely(convert: () => string, fallback: string): string {
  try {
    return convert()
  } catch {
    return fallback
  }
}

function isNullish(value: unknown): boolean {
  return value === undefined || value === null
}
