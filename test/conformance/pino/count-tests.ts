import { parseAst } from 'rolldown/parseAst'

/** Returns the number of calls of `test` in a test file. */
export function countTests(source: string, path: string): number {
  let count = 0
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (isCallOfTest(node)) count++
    for (const child of Object.values(node)) look(child)
  }
  look(parseAst(source, { lang: 'ts' }, path))
  return count
}

function isCallOfTest(node: object): boolean {
  const { type, callee } = node as { type?: unknown; callee?: { type?: unknown; name?: unknown; object?: unknown } }
  if (type !== 'CallExpression') return false
  // Calls of members, such as `test.only`, count too.
  const called = callee?.type === 'MemberExpression' ? (callee.object as typeof callee) : callee
  return called?.type === 'Identifier' && called.name === 'test'
}
