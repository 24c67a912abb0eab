const width = 120

/** JSON as the formatter of this repository leaves it: a row of numbers or texts on one line, as far as it fits. */
export function printJson(value: object): string {
  return `${printed(value, '', 0)}\n`
}

/** `taken`: how much of the line is used already, by a key in front and a comma behind. */
function printed(value: unknown, indent: string, taken: number): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  if (!Array.isArray(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    const lines = members.map(([key, member]) => {
      const name = `${JSON.stringify(key)}: `
      return inner + name + printed(member, inner, name.length + 1)
    })
    return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
  }
  const items = value.map((item) => printed(item, inner, 1))
  const row = `[${items.join(', ')}]`
  if (!row.includes('\n') && indent.length + taken + row.length <= width) return row
  const lines = value.every((item) => typeof item === 'number') ? filled(items, inner) : items
  return `[\n${lines.map((line) => inner + line).join(',\n')}\n${indent}]`
}

/** As many on each line as fit. */
function filled(items: readonly string[], indent: string): string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && indent.length + last.length + item.length + 3 <= width)
      lines[lines.length - 1] = `${last}, ${item}`
    else lines.push(item)
  }
  return lines
}
