/** A fenced block of a Markdown document. */
export interface Block {
  /** The word behind the opening fence; '' if there is none. */
  readonly language: string
  readonly text: string
  /** The number of the line that the opening fence stands on. */
  readonly line: number
}

/** A program in a document, and what the document says that it prints. */
export interface DocumentedProgram {
  /** Where it stands, for example `README.md:14`. */
  readonly place: string
  /** The program, with as many empty lines in front as the document has: a compiler's line numbers are the document's. */
  readonly text: string
  /** '' where the document shows none: such a program must print nothing. */
  readonly output: string
}

/** The fenced blocks of a document, in order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const [, fence, language] = /^(`{3,})(\w*)/.exec(lines[at]!) ?? []
    if (fence === undefined) continue
    const end = lines.indexOf(fence, at + 1)
    if (end < 0) throw new Error(`the block that line ${at + 1} opens is never closed`)
    blocks.push({ language: language!, text: lines.slice(at + 1, end).join('\n') + '\n', line: at + 1 })
    at = end
  }
  return blocks
}

/**
 * The programs of a document: its `ts` blocks. A `json` or `text` block that comes next is what the program prints. A
 * program that imports neither this package nor bunyan or bole, and makes no `log` by itself, logs to its `logger`, under that name.
 */
export function programsOf(path: string, markdown: string): DocumentedProgram[] {
  const blocks = blocksOf(markdown)
  return blocks.flatMap(({ language, text, line }, index) => {
    if (language !== 'ts') return []
    const next = blocks[index + 1]
    const output = next !== undefined && ['json', 'text'].includes(next.language) ? next.text : ''
    const first = /from '(?:sluice|bunyan|bole)|^const log\b/m.test(text)
      ? ''
      : `import { logger as log } from 'sluice'`
    return [{ place: `${path}:${line}`, text: first + '\n'.repeat(line) + text, output }]
  })
}

/** The cells of the table under a heading, row by row, without the heading row of the table itself. */
export function tableUnder(heading: string, markdown: string): string[][] {
  const lines = markdown.split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (start < 0) throw new Error(`there is no heading "${heading}"`)
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^#+ /.test(line))
  const rows = (end < 0 ? rest : rest.slice(0, end)).filter((line) => line.startsWith('|'))
  return rows.slice(2).map(cellsOf)
}

/** A `|` inside of a cell is written `\|`, in code as well (GitHub Flavored Markdown, section 4.10). */
function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1)
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** The text of a cell that is one span of code. */
export function codeOf(cell: string): string {
  const [, text] = /^`([^`]+)`$/.exec(cell) ?? []
  if (text === undefined) throw new Error(`${cell} should be code`)
  return text
}
