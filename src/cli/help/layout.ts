/** Returns an option, command or example with its description in a second column, which is wrapped. */
export function twoColumns(left: string, right: string, leftWidth: number, width: number): string {
  const lines = wrap(right, Math.max(width - leftWidth, 20))
  const indent = ' '.repeat(leftWidth)
  if (left.length + 2 > leftWidth) return [left, ...lines.map((line) => indent + line)].join('\n')
  return lines.map((line, index) => (index === 0 ? left.padEnd(leftWidth) : indent) + line).join('\n')
}

/** Wraps a text at its spaces. No line is longer than the width, except a single word that is longer. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
