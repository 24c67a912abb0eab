/** Characters that have no shape, break a line, or change the order of others. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Returns text for one line, with a symbol for each character that is not visible or changes the order of others. */
export function shownInLine(text: string): string {
  return text.replace(unsafeCharacters, symbolOf)
}

/** Returns text with its line breaks and tabs, and a symbol for each other character that is not visible or changes the order of others. */
export function shownInBlock(text: string): string {
  return text.replace(unsafeCharacters, (character) =>
    character === '\n' || character === '\t' ? character : symbolOf(character),
  )
}

const controlPictures = 0x24_00

function symbolOf(character: string): string {
  if (character === '\n') return '↵'
  if (character === '\r') return '␍'
  if (character === '\t') return '  '
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(controlPictures + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
