import type { SharedOptions } from './rule-options.ts'
import { canChangeCalls, namesIn, namesOfOptions } from './bound-names.ts'
import { importOf, isOtherLibrary, isOurs, nameInPackage } from './imports.ts'
import {
  destructuredKey,
  isReassigned,
  memberName,
  unwrapped,
  variableOf,
  type Node,
  type RuleContext,
} from './syntax.ts'

/** An expression that is a logger. */
export interface FoundLogger {
  /** The names of the attributes that the logger adds to its records; undefined if the file does not show all of them. */
  readonly boundNames: readonly string[] | undefined
  /** Whether the file shows that calls can have any attributes: the logger declares no types of attributes, and changes no values. */
  readonly acceptsAnyAttributes: boolean
}

const logger: FoundLogger = { boundNames: [], acceptsAnyAttributes: true }
const unknownLogger: FoundLogger = { boundNames: undefined, acceptsAnyAttributes: false }

/** How far a variable is followed to the logger that it was assigned. */
const maxDepth = 10

/** A log method of a logger. */
export interface FoundMethod {
  readonly logger: FoundLogger
  readonly level: string
}

/**
 * Returns the log method that the callee of a call is, also if it is a variable with the method of a logger; undefined if it is not a log
 * method.
 */
export function logMethodOf(context: RuleContext, options: SharedOptions, callee: Node): FoundMethod | undefined {
  const node = unwrapped(callee)
  if (node.type !== 'Identifier') return methodOf(memberName(node), node.object)
  const variable = variableOf(context, node)
  const definition = variable?.defs[0]
  const init = definition?.type === 'Variable' && definition.node.init && unwrapped(definition.node.init)
  if (variable === undefined || definition === undefined || !init || isReassigned(variable)) return undefined
  if (definition.node.id?.type === 'ObjectPattern') return methodOf(destructuredKey(definition), init)
  // A log method needs no receiver, but code for other loggers often binds one.
  const bound = init.callee && unwrapped(init.callee)
  const method = bound && memberName(bound) === 'bind' ? unwrapped(bound.object!) : init
  return methodOf(memberName(method), method.object)

  function methodOf(level: string | undefined, object: Node | undefined): FoundMethod | undefined {
    if (level === undefined || object === undefined || !options.levels.has(level)) return undefined
    const logger = loggerOf(context, options, object)
    return logger && { logger, level }
  }
}

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
        if (nameInPackage(context, node) === 'logger') return logger
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
    const variable = variableOf(context, identifier)
    const definition = variable?.defs[0]
    if (variable === undefined || definition === undefined) {
      return isNamed(identifier.name) && identifier.name !== 'console' ? unknownLogger : undefined
    }
    const key = destructuredKey(definition)
    const fallback = isNamed(identifier.name) || isNamed(key) ? unknownLogger : undefined
    const imported = importOf(definition, identifier.name as string)
    if (imported !== undefined) {
      if (isOurs(imported.source)) return imported.name === 'logger' ? logger : undefined
      return isOtherLibrary(imported.source) ? undefined : fallback
    }
    const { init } = definition.node
    if (definition.type !== 'Variable' || init === undefined || init === null) return fallback
    if (definition.node.id?.type !== 'Identifier') return isOther(init) ? undefined : fallback
    const found = find(init, depth + 1) ?? (canBeLogger(init) ? fallback : undefined)
    const hasType = definition.name.typeAnnotation !== undefined && definition.name.typeAnnotation !== null
    if (found === undefined || !(hasType || isReassigned(variable))) return found
    return hasType && !isReassigned(variable) ? { ...found, acceptsAnyAttributes: false } : unknownLogger
  }

  function ofCall(
    { callee: wrappedCallee, arguments: args, typeArguments }: Node,
    depth: number,
  ): FoundLogger | undefined {
    const callee = unwrapped(wrappedCallee!)
    const hasTypes = typeArguments !== undefined && typeArguments !== null
    if (nameInPackage(context, callee) === 'createLogger')
      return { boundNames: namesOfOptions(args![0]), acceptsAnyAttributes: !hasTypes && !canChangeCalls(args![0]) }
    if (memberName(callee) !== 'child') return undefined
    const parent = find(callee.object!, depth + 1)
    if (parent === undefined) return undefined
    const ownNames = namesIn(args![0])
    return {
      boundNames: parent.boundNames && ownNames && [...parent.boundNames, ...ownNames],
      acceptsAnyAttributes: parent.acceptsAnyAttributes && !hasTypes && !canChangeCalls(args![1]),
    }
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
    return imported !== undefined && isOtherLibrary(imported.source)
  }

  function isNamed(name: unknown): boolean {
    return typeof name === 'string' && names.has(name)
  }
}
