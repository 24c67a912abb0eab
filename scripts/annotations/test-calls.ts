import { parseAst } from 'rolldown/parseAst'

/** A call that defines a test or a group of tests. */
export interface TestCall {
  /** The offset of the call in the source. */
  readonly start: number
  /** The title, with `…` for the parts that are not constant. */
  readonly title: string
  /** Whether the call is `describe`. */
  readonly isGroup: boolean
  /** Whether it is expected to run and pass: it is not skipped, planned or failing, and a group contains a test. */
  readonly isActive: boolean
  /** The rows of `test.each`, if they are written at the call. */
  readonly rows: readonly TableRow[]
  /** The tests and groups inside a group. */
  readonly inside: readonly TestCall[]
}

/** A row of `test.each`. */
export interface TableRow {
  readonly start: number
  /** The texts of the cells, with `…` for those that are not constant. */
  readonly cells: readonly string[]
}

/** A parsed test file. */
export interface TestFile {
  readonly path: string
  readonly source: string
  readonly program: Node
  /** The names of functions that define a test: `test`, `it`, `needs(…)`, and constants that are one of them. */
  readonly testNames: ReadonlySet<string>
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

/** Parses a test file, so that a comment or a string that looks like a test is not one. */
export function parseTestFile(path: string, source: string): TestFile {
  const parsed: object = parseAst(source, { lang: 'ts' }, path)
  const program = parsed as Node
  return { path, source, program, testNames: new Set(['test', 'it', 'needs', ...namesOfConstants(program)]) }
}

/** Returns the outermost tests and groups of a file. */
export function callsIn({ program, testNames }: TestFile): TestCall[] {
  return callsBelow(program, testNames)
}

/** Returns the title of a test for a row of its table. */
export function titleOfRow({ cells }: TableRow, title: string): string {
  const unused = [...cells]
  return title.replaceAll(/%[sdifjoOp]/g, (whole) => unused.shift() ?? whole)
}

function callsBelow(node: Node, testNames: ReadonlySet<string>): TestCall[] {
  const call = calleeOf(node)
  const isGroup = call?.name === 'describe'
  if (call === undefined || !(isGroup || testNames.has(call.name)))
    return childrenOf(node).flatMap((child) => callsBelow(child, testNames))
  const [title, ...rest] = node.arguments as Node[]
  const inside = isGroup ? rest.flatMap((child) => callsBelow(child, testNames)) : []
  const isRun = !call.modes.some((mode) => ['skip', 'todo', 'failing'].includes(mode))
  const isActive = isRun && (!isGroup || inside.some((child) => child.isActive))
  return [{ start: node.start, title: textOf(title), isGroup, isActive, rows: rowsOf(call.table), inside }]
}

/** The function of `test(…)`, `test.only(…)` or `test.each(table)(…)`. */
interface Callee {
  readonly name: string
  /** `each`, `skip` and others. */
  readonly modes: readonly string[]
  /** The argument of `each`. */
  readonly table: Node | undefined
}

function calleeOf(node: Node): Callee | undefined {
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
  // `test.each(table)` and `needs(…)` are called first, and the result defines the tests.
  if ((modes.includes('each') || callee.name === 'needs') && table === undefined) return undefined
  if (!modes.includes('each')) table = undefined
  return { name: String(callee.name), modes, table }
}

/** Finds constants that are a function of tests: `const traced = needs('strace', …)`, `const linux = isLinux ? test : test.skip`. */
function namesOfConstants(node: Node): string[] {
  const below = childrenOf(node).flatMap(namesOfConstants)
  if (node.type !== 'VariableDeclarator' || !isNode(node.init) || !isTestFunction(node.init)) return below
  return [String((node.id as Node).name), ...below]
}

function isTestFunction(node: Node): boolean {
  switch (node.type) {
    case 'ConditionalExpression':
      return isTestFunction(node.consequent as Node) && isTestFunction(node.alternate as Node)
    case 'MemberExpression':
      return isTestFunction(node.object as Node)
    case 'CallExpression':
      return (node.callee as Node).name === 'needs'
    default:
      return node.type === 'Identifier' && ['test', 'it'].includes(String(node.name))
  }
}

function rowsOf(table: Node | undefined): TableRow[] {
  const array =
    table !== undefined && /^TS(As|Satisfies)Expression$/.test(table.type) ? (table.expression as Node) : table
  if (array?.type !== 'ArrayExpression') return []
  return (array.elements as Node[]).filter(isNode).map((row) => {
    const cells = (row.type === 'ArrayExpression' ? (row.elements as Node[]) : [row]).map(textOf)
    return { start: row.start, cells }
  })
}

function textOf(node: Node | null | undefined): string {
  if (node?.type === 'Literal') return String(node.value)
  if (node?.type === 'TemplateLiteral')
    return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
  if (node?.type === 'BinaryExpression') return textOf(node.left as Node) + textOf(node.right as Node)
  return '…'
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
