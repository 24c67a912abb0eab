import { isReassigned, memberName, unwrapped, variableOf, type Node, type RuleContext } from './syntax.ts'

/**
 * Returns whether the code shows that an expression is an error: `new …Error()`, a constant with one, or the variable of a `catch` clause.
 */
export function isError(context: RuleContext, expression: Node): boolean {
  const node = unwrapped(expression)
  if (node.type !== 'Identifier') return isNewError(node)
  const variable = variableOf(context, node)
  const definition = variable?.defs[0]
  if (variable === undefined || definition === undefined || isReassigned(variable)) return false
  if (definition.type === 'CatchClause') return definition.name.parent?.type === 'CatchClause'
  const { id, init } = definition.node
  if (definition.type !== 'Variable' || id?.type !== 'Identifier' || init === undefined || init === null) return false
  return isNewError(unwrapped(init))
}

function isNewError({ type, callee }: Node): boolean {
  if (type !== 'NewExpression') return false
  const constructor = unwrapped(callee!)
  const name = constructor.type === 'Identifier' ? (constructor.name as string) : memberName(constructor)
  return name !== undefined && name.endsWith('Error')
}

/** Returns whether an expression is probably an error: a variable with a usual name. */
export function isErrorName(expression: Node): boolean {
  const { type, name } = unwrapped(expression)
  return type === 'Identifier' && /^(?:e|err|error|ex|exception|cause|reason)$/i.test(name as string)
}
