import type { AnyNode, ImportSpecifier, Literal, Node } from 'acorn'
import { ProgramError, programName } from '../program-error.ts'
import { parseModule } from './parse-script.ts'

/** A module that a program can import. */
export interface LinkedModule {
  readonly url: string
  readonly exportNames: readonly string[]
}

/**
 * Returns a program whose imports refer to the addresses of modules. Lines stay the same.
 *
 * @param modules - the modules by their specifiers
 * @throws ProgramError if the program has a syntax error, or imports something else
 */
export function linkProgram(code: string, modules: ReadonlyMap<string, LinkedModule>): string {
  const sources: Literal[] = []
  visit(parseModule(code), (node) => {
    const { source } = node as { readonly source?: Node | null }
    if (source?.type !== 'Literal' || !/^(?:Import|Export)/.test(node.type)) return
    const literal = source as Literal
    const specifier = String(literal.value)
    const linked = modules.get(specifier)
    if (linked === undefined)
      throw errorAt(
        literal,
        `'${specifier}' cannot be imported here; the modules are ${[...modules.keys()].join(', ')}`,
      )
    if (node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration')
      for (const imported of node.specifiers) checkName(imported, specifier, linked, node.type)
    sources.push(literal)
  })
  let linkedCode = code
  for (const { start, end, value } of sources.toSorted((one, other) => other.start - one.start))
    linkedCode = linkedCode.slice(0, start) + JSON.stringify(modules.get(String(value))!.url) + linkedCode.slice(end)
  return `${linkedCode}\n//# sourceURL=${programName}\n`
}

function checkName(node: AnyNode, specifier: string, { exportNames }: LinkedModule, parent: string): void {
  if (node.type === 'ImportNamespaceSpecifier') return
  const name = node.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(node, parent)
  if (exportNames.includes(name)) return
  throw errorAt(node, `'${specifier}' has no export '${name}' in the playground; it has ${exportNames.join(', ')}`)
}

function nameOf(node: AnyNode, parent: string): string {
  const name =
    parent === 'ImportDeclaration' ? (node as ImportSpecifier).imported : (node as unknown as { local: AnyNode }).local
  return name.type === 'Identifier' ? name.name : String((name as Literal).value)
}

function errorAt({ loc }: Node, message: string): ProgramError {
  return new ProgramError(message, loc!.start.line, loc!.start.column + 1)
}

/** Calls a function with a node and all nodes in it. */
function visit(node: AnyNode, callback: (node: AnyNode) => void): void {
  callback(node)
  for (const value of Object.values(node)) {
    for (const child of [value].flat()) if (isNode(child)) visit(child, callback)
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}
