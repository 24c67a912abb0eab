import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/**
 * The layers of docs/architecture.md, the lowest first. A folder may import from itself and from lower layers. Folders of one layer
 * do not import each other.
 */
const layers = [
  ['options'],
  ['record'],
  ['redact'],
  ['values'],
  ['encode'],
  ['pipeline'],
  ['handler'],
  ['levels'],
  ['handlers', 'recorder'],
  ['logger'],
  ['lifecycle'],
  ['platform/edge', 'platform/node'],
  ['exporters'],
  ['testing'],
  ['otel'],
  ['console', 'http', 'compat', 'level-control'],
  ['codemod', 'create', 'lint', 'read'],
  ['output'],
  ['viewer'],
  ['cli'],
  ['entries'],
]
const mayUseNode = [
  'platform/node',
  'exporters',
  'console',
  'http',
  'level-control',
  'compat',
  'codemod',
  'read',
  'output',
  'viewer',
  'cli',
  'testing',
  'otel',
  'entries/register.ts',
]
const nodeGlobals: unknown[] = ['Buffer', 'process']

/**
 * Returns how a source file violates the layers, one sentence each.
 * @param path - where the file is, relative to src/ and with forward slashes
 */
export function layerViolations(path: string, source: string): string[] {
  const violations: string[] = []
  const folder = folderOf(path)
  if (layerOf(folder) < 0) return [`${path}: the folder ${folder} is in no layer`]
  const nodeAllowed = mayUseNode.includes(folder) || mayUseNode.includes(path)

  const program: object = parseAst(source, { lang: 'ts' }, path)
  for (const node of nodesOf(program as Node)) {
    const violation = isImport(node) ? importViolation(path, node, nodeAllowed) : globalViolation(node, nodeAllowed)
    if (violation !== undefined) violations.push(`${path}:${lineOf(source, node)} ${violation}`)
  }
  return violations
}

/** Returns the files that a file imports at run time, relative to src/. Imports of types are not included. */
export function runtimeImportsOf(path: string, source: string): string[] {
  return importedFiles(path, source, (node) => !isErased(node))
}

/** Returns the files that a file imports, relative to src/, including those from which it imports only types. */
export function importsOf(path: string, source: string): string[] {
  return importedFiles(path, source, () => true)
}

function importedFiles(path: string, source: string, isIncluded: (node: Import) => boolean): string[] {
  const program: object = parseAst(source, { lang: 'ts' }, path)
  const imports = [...nodesOf(program as Node)].filter(isImport).filter(isIncluded)
  return imports
    .map((node) => node.source.value)
    .filter(isRelative)
    .map((to) => posix.join(posix.dirname(path), to))
}

/** Returns how a file in any layer uses Node, one sentence each. */
export function nodeUses(path: string, source: string): string[] {
  const program: object = parseAst(source, { lang: 'ts' }, path)
  return [...nodesOf(program as Node)].flatMap((node) => {
    const violation = isImport(node)
      ? isBuiltin(node.source.value) && !isErased(node) && `loads ${node.source.value}`
      : globalViolation(node, false)
    return typeof violation === 'string' ? [`${path}:${lineOf(source, node)} ${violation}`] : []
  })
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

/** import, export from, import() and the import('…') of a type, including type imports. */
type Import = Node & { readonly source: { readonly value: string } }

function isImport(node: Node): node is Import {
  return isNode(node.source) && node.source.type === 'Literal'
}

/** Returns whether an import has only types. */
function isErased(node: Import): boolean {
  return node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType'
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.')
}

function importViolation(path: string, node: Import, nodeAllowed: boolean): string | undefined {
  const specifier = node.source.value
  if (isBuiltin(specifier)) return nodeAllowed ? undefined : `imports ${specifier}, and this layer does not use Node`
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
  return from === to || layerOf(to) < layerOf(from) ? undefined : `imports ${specifier}, which is not in a lower layer`
}

/** A local variable called `process` is also reported, because readers would mistake it for the global. */
function globalViolation(node: Node, nodeAllowed: boolean): string | undefined {
  const ofGlobalThis = node.type === 'MemberExpression' && isGlobalObject(node.object)
  const name = ofGlobalThis ? propertyName(node.property) : node.type === 'Identifier' && node.name
  if (nodeAllowed || !nodeGlobals.includes(name)) return undefined
  return `uses the global ${String(name)}, and this layer does not use Node`
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

/** Yields every node except property names: `x.process` and `{ process: 1 }` are not the global. */
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
  return /^platform\/[^/]+|^[^/]+(?=\/)/.exec(path)?.[0] ?? ''
}

function layerOf(folder: string): number {
  return layers.findIndex((layer) => layer.includes(folder))
}

function lineOf(source: string, node: Node): number {
  return source.slice(0, node.start).split('\n').length
}
