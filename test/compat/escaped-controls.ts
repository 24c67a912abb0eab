/** Escapes DEL and C1 control characters in a line of the original library, as the compatible APIs do. */
export function withControlsEscaped(line: string): string {
  // oxlint-disable-next-line no-control-regex
  return line.replaceAll(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)
}

/** Escapes control and bidirectional characters in formatted text of winston, except line breaks, tabs and colors. */
export function withTextEscaped(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /(\u001b\[[\d;:]*m|[\n\t])|[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character, kept: string | undefined) => kept ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
