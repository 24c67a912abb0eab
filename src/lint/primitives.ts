import { isReassigned, unwrapped, variableOf, type Node, type RuleContext } from './syntax.ts'

/**
 * Returns whether an expression is a variable that always has the same number, true, false or plain text: by its type, or by its only
 * value. Plain text has no braces and percent signs: in a message, these have a meaning.
 */
export function isPrimitive(context: RuleContext, expression: Node): boolean {
  const node = unwrapped(expression)
  const variable = node.type === 'Identifier' ? variableOf(context, node) : undefined
  const definition = variable?.defs[0]
  if (variable === undefined || definition === undefined) return false
  // A `var` is undefined before its declaration, and can have several.
  if (isReassigned(variable) || definition.parent?.kind === 'var' || variable.defs.length > 1) return false
  const { typeAnnotation, optional } = definition.name
  if (typeAnnotation !== undefined && typeAnnotation !== null)
    return optional !== true && isPrimitiveType(typeAnnotation.typeAnnotation!)
  const { id, init } = definition.node
  if (definition.type !== 'Variable' || id?.type !== 'Identifier') return false
  return init !== undefined && init !== null && isPrimitiveValue(unwrapped(init))
}

const primitiveTypes = new Set(['TSNumberKeyword', 'TSBooleanKeyword', 'TSBigIntKeyword'])

function isPrimitiveType({ type, types, literal }: Node): boolean {
  if (type === 'TSUnionType') return types!.every(isPrimitiveType)
  return type === 'TSLiteralType' ? isPrimitiveValue(literal!) : primitiveTypes.has(type)
}

function isPrimitiveValue({ type, value, operator, quasis }: Node): boolean {
  if (type === 'UnaryExpression') return operator !== 'void'
  const [first, ...others] = quasis ?? []
  const constant = first === undefined ? value : (first.value as { readonly cooked: unknown }).cooked
  if (typeof constant === 'string') return others.length === 0 && !/[{}%]/.test(constant)
  return type === 'Literal' && (typeof constant === 'number' || typeof constant === 'boolean')
}
