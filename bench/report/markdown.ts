type Side = 'left' | 'right'

/** Creates a table with padded columns, which is also readable as plain text. */
export function markdownTable(
  head: readonly string[],
  sides: readonly Side[],
  rows: readonly (readonly string[])[],
): string {
  const cells = [head, ...rows].map((row) => row.map(escaped))
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)))
  const padded = cells.map((row) =>
    line(
      row.map((cell, column) =>
        sides[column] === 'right' ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      ),
    ),
  )
  const rule = line(
    widths.map((width, column) => (sides[column] === 'right' ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))),
  )
  return [padded[0], rule, ...padded.slice(1)].join('\n')
}

/** Formats the output of a program as code, without Markdown inside. */
export const code = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim()}\``

/** Returns the alignments of a table whose first columns are words and whose others are numbers. */
export const sidesOf = (words: number, numbers: number): Side[] => [
  ...Array.from({ length: words }, (): Side => 'left'),
  ...Array.from({ length: numbers }, (): Side => 'right'),
]

const escaped = (cell: string): string => cell.replaceAll('|', String.raw`\|`)

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
