/** Control characters, line ends, marks that turn text around, and halves of surrogate pairs. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu

/**
 * Text for a message: names of files, exporters and options stand in messages, and may make no second line and reach no
 * terminal as commands. What is longer than `most` characters is cut.
 */
export function oneLine(text: string, most: number = 2_000): string {
  const line = text.length > most ? `${text.slice(0, most)}…` : text
  return line.replace(unseen, ' ')
}
