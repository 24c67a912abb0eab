import { parseSync } from 'oxc-parser'

/**
 * Returns code with a line break before the first statement or class member after each 200 characters. For an error that ends the
 * process, Node prints the line of the code that threw it: without breaks, that is a whole minified file.
 */
export function withLineBreaks(fileName: string, code: string): string {
  const { program, errors } = parseSync(fileName, code)
  if (errors.length > 0) throw new Error(`${fileName}: ${errors[0]!.message}`)
  let result = ''
  let copiedTo = 0
  for (const start of breakableStarts(program).toSorted((a, b) => a - b)) {
    const lineStart = Math.max(copiedTo, code.lastIndexOf('\n', start - 1) + 1)
    if (start - lineStart < minLineLength) continue
    result += code.slice(copiedTo, start) + '\n'
    copiedTo = start
  }
  return result + code.slice(copiedTo)
}

const minLineLength = 200

/** Returns the offsets of all statements in blocks and of all class members. A line break there cannot change the meaning of the code. */
function breakableStarts(node: unknown): number[] {
  if (Array.isArray(node)) return node.flatMap(breakableStarts)
  if (typeof node !== 'object' || node === null) return []
  const { type, body } = node as { readonly type?: string; readonly body?: unknown }
  const own = blocks.has(type ?? '') && Array.isArray(body) ? body.map(({ start }: { start: number }) => start) : []
  return [...own, ...Object.values(node).flatMap(breakableStarts)]
}

const blocks = new Set(['Program', 'BlockStatement', 'FunctionBody', 'StaticBlock', 'ClassBody'])
