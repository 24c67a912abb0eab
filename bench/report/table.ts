/** Formats a table: the first column is left-aligned, the others are right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], indent = '  '): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  '),
  )
  return lines.map((line) => (indent + line).trimEnd()).join('\n')
}
