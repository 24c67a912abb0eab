// Converts the output of a program for a terminal to an SVG picture.
import { displayWidth } from '../../src/encode/pretty/width.ts'

/** The attributes of text that SGR codes set. */
interface Style {
  bold: boolean
  dim: boolean
  color: number | undefined
  background: number | undefined
  reversed: boolean
}

/** A piece of text with one style, at a column of a line. */
interface Run extends Style {
  readonly text: string
  readonly column: number
  readonly width: number
}

/** Colors of a theme. `colors` are the 16 colors of a terminal. */
export interface Theme {
  readonly background: string
  readonly foreground: string
  readonly colors: readonly string[]
}

/** The default colors of the terminal of VS Code, which has more users than any other terminal with themes. */
export const darkTheme: Theme = {
  background: '#181818',
  foreground: '#cccccc',
  colors: [
    '#000000',
    '#cd3131',
    '#0dbc79',
    '#e5e510',
    '#2472c8',
    '#bc3fbc',
    '#11a8cd',
    '#e5e5e5',
    '#666666',
    '#f14c4c',
    '#23d18b',
    '#f5f543',
    '#3b8eea',
    '#d670d6',
    '#29b8db',
    '#e5e5e5',
  ],
}
export const lightTheme: Theme = {
  background: '#ffffff',
  foreground: '#333333',
  colors: [
    '#000000',
    '#cd3131',
    '#107c10',
    '#949800',
    '#0451a5',
    '#bc05bc',
    '#0598bc',
    '#555555',
    '#666666',
    '#cd3131',
    '#14ce14',
    '#b5ba00',
    '#0451a5',
    '#bc05bc',
    '#0598bc',
    '#a5a5a5',
  ],
}

const plainStyle: Style = { bold: false, dim: false, color: undefined, background: undefined, reversed: false }
const columnWidth = 8.4
const lineHeight = 19
const padding = 14

/**
 * Returns an SVG picture of text with SGR codes, as a terminal with `columns` columns shows it.
 *
 * @param themes - the theme for light and for dark pages; with one theme, it is used for both
 */
export function terminalSvg(
  text: string,
  columns: number,
  [theme, dark]: readonly [Theme, Theme?],
  title: string,
): string {
  const lines = linesOf(text, columns)
  const width = Math.ceil(columns * columnWidth + 2 * padding)
  const height = lines.length * lineHeight + 2 * padding
  const body = lines.flatMap((line, index) => line.map((run) => runSvg(run, padding + index * lineHeight)))
  const darkCss = dark === undefined ? '' : `\n@media (prefers-color-scheme: dark) {\n${css(dark)}\n}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.b { font-weight: 700 } .d { opacity: 0.6 }
${css(theme)}${darkCss}
</style>
<rect class="page" width="${width}" height="${height}" rx="8"/>
${body.join('\n')}
</svg>
`
}

function css({ background, foreground, colors }: Theme): string {
  const rules = colors.map((color, index) => `.c${index} { fill: ${color} }`)
  return [`text { fill: ${foreground} } .page { fill: ${background} }`, ...rules].join('\n')
}

function runSvg({ text, column, width, bold, dim, color, background, reversed }: Run, top: number): string {
  const x = (padding + column * columnWidth).toFixed(1)
  const length = (width * columnWidth).toFixed(1)
  const classes = [bold ? 'b' : '', dim ? 'd' : '', reversed ? 'page' : color === undefined ? '' : `c${color}`].filter(
    (name) => name !== '',
  )
  const attribute = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`
  const boxColor = reversed ? color : background
  const box =
    boxColor === undefined
      ? ''
      : `<rect class="c${boxColor}" x="${x}" y="${top}" width="${length}" height="${lineHeight}"/>`
  return `${box}<text${attribute} x="${x}" y="${top + 14}" textLength="${length}">${escaped(text)}</text>`
}

/** Returns the lines of a text. A line that is wider than the terminal continues on the next one. */
function linesOf(text: string, columns: number): Run[][] {
  const lines: Run[][] = []
  let style: Style = { ...plainStyle }
  for (const source of text.replace(/\n$/, '').split('\n')) {
    let line: Run[] = []
    let column = 0
    const show = (run: string) => {
      const width = displayWidth(run)
      if (column + width > columns) {
        lines.push(line)
        line = []
        column = 0
      }
      const last = line.at(-1)
      if (
        width === 1 &&
        last !== undefined &&
        last.width === last.text.length &&
        isSame(last, style) &&
        last.column + last.width === column
      )
        line[line.length - 1] = { ...last, text: last.text + run, width: last.width + 1 }
      else line.push({ ...style, text: run, column, width })
      column += width
    }
    // oxlint-disable-next-line no-control-regex
    for (const part of source.split(/(\u001b\[[\d;]*m)/)) {
      // oxlint-disable-next-line no-control-regex
      const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1]
      if (codes !== undefined) style = styleAfter(style, codes)
      else for (const { segment } of graphemes.segment(part)) show(segment)
    }
    lines.push(line)
  }
  return lines.map((line) => line.filter(({ text, background }) => text.trim() !== '' || background !== undefined))
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

function isSame(one: Style, other: Style): boolean {
  return (
    one.bold === other.bold &&
    one.reversed === other.reversed &&
    one.dim === other.dim &&
    one.color === other.color &&
    one.background === other.background
  )
}

function styleAfter(style: Style, codes: string): Style {
  let next = { ...style }
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) next = { ...plainStyle }
    else if (code === 1) next.bold = true
    else if (code === 2) next.dim = true
    else if (code === 7) next.reversed = true
    else if (code === 22) next.bold = next.dim = false
    else if (code >= 30 && code <= 37) next.color = code - 30
    else if (code >= 90 && code <= 97) next.color = code - 82
    else if (code === 39) next.color = undefined
    else if (code >= 40 && code <= 47) next.background = code - 40
    else if (code >= 100 && code <= 107) next.background = code - 92
    else if (code === 49) next.background = undefined
  }
  return next
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\u001b', '␛')
}
