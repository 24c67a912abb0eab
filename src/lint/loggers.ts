import type { SharedOptions } from './rule-options.ts'
import { keyOf, memberName, unwrapped, variableOf, type Definition, type Node, type RuleContext } from './syntax.ts'

/** An expression that is a logger. */
export interface FoundLogger {
  /** The names of the attributes that the logger adds to its records; undefined if the file does not show all of them. */
  readonly boundNames: readonly string[] | undefined
}

/** Packages whose loggers have other methods and messages. */
const otherLoggers =
  /^(?:pino|winston|bunyan|bole|roarr|tslog|log4js|loglevel|consola|signale|npmlog|debug|@logtape\/.*|node:.*|console)$/
const logger: FoundLogger = { boundNames: [] }
const unknownLogger: FoundLogger = { boundNames: undefined }

/** How far a variable is followed to the logger that it was assigned. */
const maxDepth = 10

/**
 * Returns the logger that an expression is; undefined if it is not a logger. These are loggers: what `createLogger` of this package
 * returns, its `logger`, their children, and variables and members with the names of the option `names` whose origin is unknown.
 */
export function loggerOf(context: RuleContext, { names }: SharedOptions, expression: Node): FoundLogger | undefined {
  return find(expression, 0)

  function find(wrapped: Node, depth: number): FoundLogger | undefined {
    if (depth > maxDepth) return undefined
    const node = unwrapped(wrapped)
    switch (node.type) {
      case 'Identifier':
        return ofIdentifier(node, depth)
      case 'MemberExpression':
        return isNamed(memberName(node)) && !isOther(node) ? unknownLogger : undefined
      case 'CallExpression':
        return ofCall(node, depth)
      case 'LogicalExpression':
        return find(node.right!, depth + 1) ?? find(node.left!, depth + 1)
      default:
        return undefined
    }
  }

  function ofIdentifier(identifier: Node, depth: number): FoundLogger | undefined {
    const fallback = isNamed(identifier.name) ? unknownLogger : undefined
    const definition = variableOf(context, identifier)?.defs[0]
    if (definition === undefined) return identifier.name === 'console' ? undefined : fallback
    const imported = importOf(definition, identifier.name as string)
    if (imported !== undefined) {
      if (isOurs(imported.source)) return imported.name === 'logger' ? logger : undefined
      return otherLoggers.test(imported.source) ? undefined : fallback
    }
    if (definition.type !== 'Variable' || definition.node.id?.type !== 'Identifier') return fallback
    const { init } = definition.node
    if (init === undefined || init === null) return fallback
    return find(init, depth + 1) ?? (canBeLogger(init) ? fallback : undefined)
  }

  function ofCall({ callee: wrappedCallee, arguments: args }: Node, depth: number): FoundLogger | undefined {
    const callee = unwrapped(wrappedCallee!)
    const attributes = args![0]
    if (callee.type === 'Identifier') {
      const definition = variableOf(context, callee)?.defs[0]
      const imported = definition && importOf(definition, callee.name as string)
      if (imported === undefined || !isOurs(imported.source) || imported.name !== 'createLogger') return undefined
      return { boundNames: namesIn(memberOf(attributes, 'attributes')) }
    }
    const name = memberName(callee)
    if (name === 'createLogger' && callee.object?.type === 'Identifier') {
      const definition = variableOf(context, callee.object)?.defs[0]
      const imported = definition && importOf(definition, callee.object.name as string)
      if (imported?.name !== '*' || !isOurs(imported.source)) return undefined
      return { boundNames: namesIn(memberOf(attributes, 'attributes')) }
    }
    if (name !== 'child') return undefined
    const parent = find(callee.object!, depth + 1)
    if (parent === undefined) return undefined
    const ownNames = namesIn(attributes)
    return { boundNames: parent.boundNames && ownNames && [...parent.boundNames, ...ownNames] }
  }

  /** Returns whether a variable with this initial value can be a logger whose origin is unknown. */
  function canBeLogger(init: Node): boolean {
    const node = unwrapped(init)
    if (node.type === 'AwaitExpression') return true
    return ['CallExpression', 'NewExpression', 'MemberExpression', 'Identifier'].includes(node.type) && !isOther(node)
  }

  /** Returns whether an expression begins with the console, another global of the language, or another logging library. */
  function isOther(node: Node): boolean {
    let root = node
    while (root.type !== 'Identifier') {
      const inner = root.object ?? root.callee
      if (inner === undefined) return false
      root = unwrapped(inner)
    }
    const definition = variableOf(context, root)?.defs[0]
    if (definition === undefined) return root.name === 'console' || root.name === 'Math'
    const imported = importOf(definition, root.name as string)
    return imported !== undefined && otherLoggers.test(imported.source)
  }

  function isNamed(name: unknown): boolean {
    return typeof name === 'string' && names.has(name)
  }
}

function isOurs(source: string): boolean {
  return source === 'sluice' || source === 'sluice/core'
}

/** Returns the module and the name that a variable was imported from, also with `require`; undefined for other variables. */
function importOf({ type, node, parent }: Definition, name: string): { source: string; name: string } | undefined {
  if (type === 'ImportBinding') {
    const source = String(parent?.source?.value)
    if (node.type === 'ImportNamespaceSpecifier') return { source, name: '*' }
    const { imported } = node
    return { source, name: imported === undefined ? 'default' : String(imported.name ?? imported.value) }
  }
  const call = node.init && unwrapped(node.init)
  const argument = call?.arguments?.[0]
  if (type !== 'Variable' || call?.callee?.name !== 'require' || typeof argument?.value !== 'string') return undefined
  if (node.id!.type === 'Identifier') return { source: argument.value, name: '*' }
  const property = node.id!.properties?.find(({ value }) => (value as Node | undefined)?.name === name)
  return { source: argument.value, name: (property && keyOf(property)) ?? name }
}

/** Returns the value of a member of an object literal; the node itself if it is not one. */
function memberOf(value: Node | undefined, name: string): Node | undefined {
  const node = value && unwrapped(value)
  if (node?.type !== 'ObjectExpression') return node
  const spread = node.properties!.find((property) => keyOf(property) === undefined)
  const found = node.properties!.find((property) => keyOf(property) === name)
  return (found?.value as Node | undefined) ?? spread
}

/** Returns the keys of attributes: none without attributes, and undefined if they are not a literal with fixed keys. */
function namesIn(value: Node | undefined): readonly string[] | undefined {
  if (value === undefined) return []
  const attributes = unwrapped(value)
  if (attributes.type !== 'ObjectExpression') return undefined
  const keys = attributes.properties!.map(keyOf)
  return keys.every((key) => key !== undefined) ? keys : undefined
}
