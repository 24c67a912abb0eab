/** Sequences of control characters, line breaks, bidirectional control characters, and lone surrogates. */
const unsafeCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu

/**
 * Returns text that is safe in a message, with unsafe characters replaced by a space: names of files, exporters and options must not
 * add lines, or send control sequences to a terminal. Text of more than `maxLength` UTF-16 units is truncated.
 */
export function oneLine(text: string, maxLength: number = 2_000): string {
  const line = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return line.replace(unsafeCharacters, ' ')
}
