const width = 120

/** Formats JSON as oxfmt does: short arrays on one line. */
export function printJson(value: object): string {
  return `${formatValue(value, '', 0)}\n`
}

/** @param used - the characters on the line that the key and the comma need */
function formatValue(value: unknown, indent: string, used: number): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  if (!Array.isArray(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    const lines = members.map(([key, member]) => {
      const name = `${JSON.stringify(key)}: `
      return inner + name + formatValue(member, inner, name.length + 1)
    })
    return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
  }
  const items = value.map((item) => formatValue(item, inner, 1))
  const row = `[${items.join(', ')}]`
  if (!row.includes('\n') && indent.length + used + row.length <= width) return row
  const lines = value.every((item) => typeof item === 'number') ? fillLines(items, inner) : items
  return `[\n${lines.map((line) => inner + line).join(',\n')}\n${indent}]`
}

/** Fills each line with as many items as fit. */
function fillLines(items: readonly string[], indent: string): string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && indent.length + last.length + item.length + 3 <= width)
      lines[lines.length - 1] = `${last}, ${item}`
    else lines.push(item)
  }
  return lines
}
