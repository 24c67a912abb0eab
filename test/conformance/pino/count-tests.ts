import { parseAst } from 'rolldown/parseAst'

/** How many calls of `test` a file of tests has. */
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
  // or of its members, such as `only`
  const called = callee?.type === 'MemberExpression' ? (callee.object as typeof callee) : callee
  return called?.type === 'Identifier' && called.name === 'test'
}
