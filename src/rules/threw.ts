/**
 * The text that stands where reading a member threw: `[Threw: message]`. It is cut as any text is, once patterns have seen it
 * whole. Never throws itself.
 */
export function threw(reason: unknown): string {
  let text = ''
  try {
    const message = typeof reason === 'object' && reason !== null ? (reason as { message?: unknown }).message : reason
    text = scalarText(message)
  } catch {
    // What was thrown is as hostile as what threw it.
  }
  return text === '' ? '[Threw]' : `[Threw: ${text}]`
}

/** A value as text; '' for objects and functions: their own conversions are not ours to run. */
export function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'symbol':
      return String(value)
    default:
      return ''
  }
}
