/** A line of the original as the fronts of this package write it: DEL and C1, which a terminal obeys, are escaped. */
export function withControlsEscaped(line: string): string {
  // oxlint-disable-next-line no-control-regex
  return line.replaceAll(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)
}

/** Finished text of winston as transports of this package write it: line breaks, tabs and colors stay, nothing else that a terminal obeys. */
export function withTextEscaped(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /(\u001b\[[\d;:]*m|[\n\t])|[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character, kept: string | undefined) => kept ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
