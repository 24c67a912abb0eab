import { keyOf, unwrapped, variableOf, type Definition, type Node, type RuleContext } from './syntax.ts'

/** Where a variable was imported from. */
export interface ImportedName {
  readonly source: string
  /** The name in the module; `*` for the whole module. */
  readonly name: string
}

/** Packages whose loggers have other methods and messages. The compatible APIs of this package have the messages of the originals. */
const otherLoggers =
  /^(?:pino|winston|bunyan|bole|roarr|tslog|log4js|loglevel|consola|signale|npmlog|debug|@logtape\/.*|sluice\/(?:pino|winston|bunyan|bole)|node:.*|console)$/

/** Returns whether a module is another logging library, or part of Node. */
export function isOtherLibrary(source: string): boolean {
  return otherLoggers.test(source)
}

/** Returns whether a module has `createLogger`, `logger` and `withContext` of this package. */
export function isOurs(source: string): boolean {
  return source === 'sluice' || source === 'sluice/core'
}

/** Returns the name in this package of an expression: an imported variable, or a member of an imported namespace. */
export function nameInPackage(context: RuleContext, expression: Node): string | undefined {
  const node = unwrapped(expression)
  const isMember = node.type === 'MemberExpression'
  const variable = isMember ? unwrapped(node.object!) : node
  if (variable.type !== 'Identifier') return undefined
  const definition = variableOf(context, variable)?.defs[0]
  const imported = definition && importOf(definition, variable.name as string)
  if (imported === undefined || !isOurs(imported.source)) return undefined
  if (!isMember) return imported.name
  return imported.name === '*' && node.computed !== true ? (node.property!.name as string) : undefined
}

/** Returns the module and the name that a variable was imported from, also with `require`; undefined for other variables. */
export function importOf({ type, node, parent }: Definition, name: string): ImportedName | undefined {
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
