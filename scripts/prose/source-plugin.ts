import type { TextlintKernelPlugin } from '@textlint/kernel'
import { piecesOf } from './source.ts'

type Processor = InstanceType<TextlintKernelPlugin['plugin']['Processor']>
type Parsed = Extract<Awaited<ReturnType<ReturnType<Processor['processor']>['preProcess']>>, { text: string }>

/** Lets textlint read source files: each comment, test title and message is a paragraph, and each identifier is inline code. */
export const sourcePlugin: TextlintKernelPlugin = {
  pluginId: 'source',
  plugin: {
    Processor: class {
      availableExtensions(): string[] {
        return ['.ts', '.js', '.mjs', '.cjs', '.jsx']
      }

      processor(): ReturnType<Processor['processor']> {
        return {
          preProcess: (source, path) => parse(source, path ?? 'source.ts'),
          postProcess: (messages, path) => ({ messages, filePath: path ?? 'source.ts' }),
        }
      }
    },
  },
}

function parse(source: string, path: string): Parsed {
  const characters = source.replaceAll(/[^\n]/g, ' ').split('')
  const pieces = piecesOf(path, source)
  for (const { start, text } of pieces) for (let i = 0; i < text.length; i++) characters[start + i] = text[i]!
  const text = characters.join('')
  const at = positions(text)
  const nodeAt = (type: string, start: number, end: number) => {
    return {
      type,
      raw: text.slice(start, end),
      range: [start, end] as [number, number],
      loc: { start: at(start), end: at(end) },
    }
  }
  const children = pieces.map(({ kind, start, text: { length } }): object => {
    const end = start + length
    const leaf = (type: string): object => Object.assign(nodeAt(type, start, end), { value: text.slice(start, end) })
    return kind === 'identifier'
      ? leaf('Code')
      : Object.assign(nodeAt('Paragraph', start, end), { children: [leaf('Str')] })
  })
  return { text, ast: { ...nodeAt('Document', 0, text.length), children } as Parsed['ast'] }
}

/** Returns a function from an index to textlint's position: lines begin with 1, and columns with 0. */
function positions(text: string): (index: number) => { line: number; column: number } {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  return (index) => {
    const line = starts.findLastIndex((start) => start <= index)
    return { line: line + 1, column: index - starts[line]! }
  }
}
