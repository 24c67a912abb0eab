import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

/** What the title of a test says, or of a group of tests. */
export interface Claim {
  /** The test's file, from the root of the repository. */
  readonly path: string
  /** What names the ids that are proven: the title itself, or the cells of a row of `test.each`. */
  readonly title: string
  /** The whole sentence, with the titles of the groups around it; `…` for what is known only when the test runs. */
  readonly sentence: string
}

/** The claims of every test there is, in the order of their files. */
export function claimsOfTests(): Claim[] {
  const paths = globSync('test/**/*.{test,e2e}.ts').map((path) => path.replaceAll('\\', '/'))
  return paths.toSorted().flatMap((path) => claimsIn(path, readFileSync(path, 'utf8')))
}

/**
 * The claims of a test file. A test that is skipped, waits to be written or is meant to fail claims nothing, nor does a
 * group without a test. The source is parsed, so that what only looks like a test is none.
 */
export function claimsIn(path: string, source: string): Claim[] {
  const program: object = parseAst(source, { lang: 'ts' }, path)
  const tests = new Set(['test', 'it', ...namesFromNeeds(program as Node)])
  return claimsBelow(program as Node, { path, tests, around: [] })
}

interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

interface Place {
  readonly path: string
  /** What a test may be called here. */
  readonly tests: ReadonlySet<string>
  /** The titles of the groups around, the outermost first. */
  readonly around: readonly string[]
}

function claimsBelow(node: Node, place: Place): Claim[] {
  const call = callOf(node)
  if (call === undefined || !(call.name === 'describe' || place.tests.has(call.name)))
    return childrenOf(node).flatMap((child) => claimsBelow(child, place))
  if (call.modes.some((mode) => ['skip', 'todo', 'failing'].includes(mode))) return []
  const [first, ...rest] = call.args
  const title = textOf(first)
  const claim = (title: string, shown: string): Claim => {
    return { path: place.path, title, sentence: [...place.around, shown].map(withoutPlaceholders).join(' ') }
  }
  if (call.name !== 'describe') return [claim(title, title), ...rowsOf(call.table, title).map((row) => claim(...row))]
  const inside = rest.flatMap((node) => claimsBelow(node, { ...place, around: [...place.around, title] }))
  return inside.length === 0 ? [] : [claim(title, title), ...inside]
}

interface Call {
  readonly name: string
  /** `each`, `skip` and the like. */
  readonly modes: readonly string[]
  readonly args: readonly Node[]
  /** What `each` was given. */
  readonly table: Node | undefined
}

/** `test(…)`, `test.only(…)`, `test.each(table)(…)` and what has that form. */
function callOf(node: Node): Call | undefined {
  if (node.type !== 'CallExpression') return undefined
  const modes: string[] = []
  let table: Node | undefined
  let callee = node.callee as Node
  while (callee.type !== 'Identifier') {
    if (callee.type === 'MemberExpression') {
      modes.push(String((callee.property as Node).name))
      callee = callee.object as Node
    } else if (callee.type === 'CallExpression') {
      table = (callee.arguments as Node[])[0]
      callee = callee.callee as Node
    } else {
      return undefined
    }
  }
  // Without its table, each is the callee of the call that is meant.
  if (modes.includes('each') && table === undefined) return undefined
  return { name: String(callee.name), modes, args: node.arguments as Node[], table }
}

/** `const traced = needs('strace', …)`: a test under another name. */
function namesFromNeeds(node: Node): string[] {
  const below = childrenOf(node).flatMap(namesFromNeeds)
  if (node.type !== 'VariableDeclarator' || !isNode(node.init) || !mentions(node.init, 'needs')) return below
  return [String((node.id as Node).name), ...below]
}

function mentions(node: Node, name: string): boolean {
  return (node.type === 'Identifier' && node.name === name) || childrenOf(node).some((child) => mentions(child, name))
}

const placeholder = /%[sdifjoOp#]|\$\w[\w.]*/g

/** The words of each row that come into the title, and the title with them. */
function rowsOf(table: Node | undefined, title: string): [cells: string, title: string][] {
  const array =
    table !== undefined && /^TS(As|Satisfies)Expression$/.test(table.type) ? (table.expression as Node) : table
  if (array?.type !== 'ArrayExpression') return []
  return (array.elements as Node[]).map((row) => {
    const cells = (row?.type === 'ArrayExpression' ? (row.elements as Node[]) : [row]).map(textOf)
    const used = cells.splice(0, title.match(/%[sdifjoOp]/g)?.length ?? 0)
    const words = used.join(' ')
    return [words, title.replaceAll(/%[sdifjoOp]/g, (whole) => used.shift() ?? whole)]
  })
}

/** The text that an expression is for sure, with `…` for what is not known. */
function textOf(node: Node | null | undefined): string {
  if (node?.type === 'Literal') return String(node.value)
  if (node?.type === 'TemplateLiteral')
    return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
  if (node?.type === 'BinaryExpression') return textOf(node.left as Node) + textOf(node.right as Node)
  return '…'
}

function withoutPlaceholders(text: string): string {
  return text.replaceAll(placeholder, '…')
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
