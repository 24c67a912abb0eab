import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/**
 * The floors of docs/design.md section 3, lowest first; '' is src/ itself. A folder may import from itself and from lower
 * floors. Folders on one floor do not know each other, so `runtime export testing` is three floors here: export/ needs
 * what runtime/ knows of the process, and never the other way round.
 */
const floors = [
  ['record'],
  ['rules'],
  ['encode'],
  ['pipeline'],
  ['handler'],
  ['logger'],
  ['delivery'],
  ['edge', 'runtime'],
  ['export'],
  ['testing'],
  ['console', 'http', 'bridges', 'otel', 'cli'],
  [''],
]
const mayUseNode = ['runtime', 'export', 'console', 'http', 'bridges', 'testing', 'otel', 'cli', 'register.ts']
const nodeGlobals: unknown[] = ['Buffer', 'process']

/**
 * What a source file does against the rules of the house, one sentence each.
 * @param path - where the file is, relative to src/ and with forward slashes
 */
export function houseViolations(path: string, source: string): string[] {
  const violations: string[] = []
  const folder = folderOf(path)
  if (floorOf(folder) < 0) return [`${path}: no floor is known for the folder ${folder}`]
  const nodeAllowed = mayUseNode.includes(folder) || mayUseNode.includes(path)

  const program: object = parseAst(source, { lang: 'ts' }, path)
  for (const node of nodesOf(program as Node)) {
    const problem = isImport(node) ? importProblem(path, node, nodeAllowed) : globalProblem(node, nodeAllowed)
    if (problem !== undefined) violations.push(`${path}:${lineOf(source, node)} ${problem}`)
  }
  return violations
}

/** The files that a file loads, relative to src/. What only brings types is not loaded. */
export function loadedBy(path: string, source: string): string[] {
  const program: object = parseAst(source, { lang: 'ts' }, path)
  const loaded = [...nodesOf(program as Node)].filter(isImport).filter((node) => !isErased(node))
  return loaded
    .map((node) => node.source.value)
    .filter(isRelative)
    .map((to) => posix.join(posix.dirname(path), to))
}

/** What a file uses of Node, wherever it lies, one sentence each. */
export function nodeUses(path: string, source: string): string[] {
  const program: object = parseAst(source, { lang: 'ts' }, path)
  return [...nodesOf(program as Node)].flatMap((node) => {
    const problem = isImport(node)
      ? isBuiltin(node.source.value) && !isErased(node) && `loads ${node.source.value}`
      : globalProblem(node, false)
    return typeof problem === 'string' ? [`${path}:${lineOf(source, node)} ${problem}`] : []
  })
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

/** import, export from, import() and the import('…') of a type; one that only brings types counts as well. */
type Import = Node & { readonly source: { readonly value: string } }

function isImport(node: Node): node is Import {
  return isNode(node.source) && node.source.type === 'Literal'
}

/** Brings types and nothing else. */
function isErased(node: Import): boolean {
  return node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType'
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.')
}

function importProblem(path: string, node: Import, nodeAllowed: boolean): string | undefined {
  const specifier = node.source.value
  if (isBuiltin(specifier)) return nodeAllowed ? undefined : `imports ${specifier}, and this floor does without Node`
  if (specifier.startsWith('@opentelemetry/')) {
    return isErased(node) || folderOf(path) === 'otel'
      ? undefined
      : `imports ${specifier} at run time, which is for otel/ only`
  }
  if (!specifier.startsWith('.')) return undefined

  const target = posix.join(posix.dirname(path), specifier)
  if (target.startsWith('../')) return `imports ${specifier}, which is outside src/`
  const from = folderOf(path)
  const to = folderOf(target)
  return from === to || floorOf(to) < floorOf(from) ? undefined : `imports ${specifier}, which is not on a lower floor`
}

/** A binding of our own called `process` is reported too: readers would take it for the global. */
function globalProblem(node: Node, nodeAllowed: boolean): string | undefined {
  const ofGlobalThis = node.type === 'MemberExpression' && isGlobalObject(node.object)
  const name = ofGlobalThis ? propertyName(node.property) : node.type === 'Identifier' && node.name
  if (nodeAllowed || !nodeGlobals.includes(name)) return undefined
  return `uses the global ${String(name)}, and this floor does without Node`
}

function isGlobalObject(node: unknown): boolean {
  if (!isNode(node)) return false
  if (node.type === 'Identifier') return node.name === 'globalThis' || node.name === 'global'
  // (globalThis as X), globalThis!, (globalThis)
  return isGlobalObject(node.expression)
}

function propertyName(node: unknown): unknown {
  return isNode(node) ? (node.name ?? node.value) : undefined
}

/** Every node that is not the mere name of a property: `x.process` and `{ process: 1 }` have nothing to do with the global. */
function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const [field, value] of Object.entries(node)) {
    if (isPropertyName(node, field)) continue
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isNode(child)) continue
      if (node.type === 'ObjectPattern' && isNode(child.key)) yield child.key
      yield* nodesOf(child)
    }
  }
}

function isPropertyName(parent: Node, field: string): boolean {
  if (field === 'imported' || field === 'exported' || field === 'label') return true
  if (parent.type === 'TSQualifiedName') return field === 'right'
  return (field === 'key' || field === 'property') && parent.computed !== true
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

function floorOf(folder: string): number {
  return floors.findIndex((floor) => floor.includes(folder))
}

function lineOf(source: string, node: Node): number {
  return source.slice(0, node.start).split('\n').length
}
