/** A fenced block of a Markdown document. */
export interface Block {
  /** The language after the opening fence, or ''. */
  readonly language: string
  readonly text: string
  /** The line number of the opening fence. */
  readonly line: number
}

/** A program in a document and its documented output. */
export interface DocumentedProgram {
  /** The file and line, such as `README.md:14`. */
  readonly place: string
  /** The program, after as many empty lines that compiler errors have the line numbers of the document. */
  readonly text: string
  /** The expected output. '' if the document has none: the program must print nothing. */
  readonly output: string
}

/** Returns the fenced blocks of a document, in order. */
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
 * Returns the programs of a document: its `ts` blocks. A following `json` or `text` block is the output. A program that neither
 * imports this package, bunyan or bole nor declares `log` gets an import of `logger` as `log`.
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

/** Returns the cells of the table under a heading, row by row, without the header row. */
export function tableUnder(heading: string, markdown: string): string[][] {
  const lines = markdown.split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (start < 0) throw new Error(`there is no heading "${heading}"`)
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^#+ /.test(line))
  const rows = (end < 0 ? rest : rest.slice(0, end)).filter((line) => line.startsWith('|'))
  return rows.slice(2).map(cellsOf)
}

/** A `|` inside a cell is written `\|`, also in code (GitHub Flavored Markdown, section 4.10). */
function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1)
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Returns the text of a cell that is a code span. */
export function codeOf(cell: string): string {
  const [, text] = /^`([^`]+)`$/.exec(cell) ?? []
  if (text === undefined) throw new Error(`${cell} should be code`)
  return text
}
