/** Text in one style. */
export interface StyledText {
  readonly text: string
  /** The names of classes, such as `ansi-red ansi-bold`; '' for plain text. */
  readonly classes: string
}

/** The class of each code of a control sequence for colors that the terminal format writes (ECMA-48, section 8.3.117). */
const classes: Readonly<Record<string, string>> = {
  '1': 'ansi-bold',
  '2': 'ansi-dim',
  '7': 'ansi-reversed',
  '31': 'ansi-red',
  '32': 'ansi-green',
  '33': 'ansi-yellow',
  '34': 'ansi-blue',
  '35': 'ansi-magenta',
  '36': 'ansi-cyan',
}

/** Splits text with control sequences for colors into parts with one style each. */
export function styledTextOf(text: string): StyledText[] {
  const parts: StyledText[] = []
  let style: string[] = []
  // oxlint-disable-next-line no-control-regex
  for (const [index, part] of text.split(/\u001b\[([\d;]*)m/).entries()) {
    if (index % 2 === 0) {
      if (part !== '') parts.push({ text: part, classes: style.join(' ') })
      continue
    }
    for (const code of part.split(';')) {
      const name = classes[code]
      style = code === '0' || code === '' ? [] : name === undefined ? style : [...style, name]
    }
  }
  return parts
}
