import { isReassigned, unwrapped, variableOf, type Node, type RuleContext } from './syntax.ts'

const primitiveTypes = new Set([
  'TSStringKeyword',
  'TSNumberKeyword',
  'TSBooleanKeyword',
  'TSBigIntKeyword',
  'TSLiteralType',
])

/** Returns whether an expression is a variable with text, a number, true or false for certain: by its type, or by its only value. */
export function isPrimitive(context: RuleContext, expression: Node): boolean {
  const node = unwrapped(expression)
  const variable = node.type === 'Identifier' ? variableOf(context, node) : undefined
  const definition = variable?.defs[0]
  if (variable === undefined || definition === undefined) return false
  const { typeAnnotation, optional } = definition.name
  if (typeAnnotation !== undefined && typeAnnotation !== null)
    return optional !== true && isPrimitiveType(typeAnnotation.typeAnnotation!)
  const { id, init } = definition.node
  if (definition.type !== 'Variable' || id?.type !== 'Identifier' || isReassigned(variable)) return false
  return init !== undefined && init !== null && isPrimitiveValue(unwrapped(init))
}

function isPrimitiveType({ type, types }: Node): boolean {
  return type === 'TSUnionType' ? types!.every(isPrimitiveType) : primitiveTypes.has(type)
}

function isPrimitiveValue({ type, value, operator }: Node): boolean {
  if (type === 'Literal') return ['string', 'number', 'boolean'].includes(typeof value)
  return type === 'TemplateLiteral' || (type === 'UnaryExpression' && operator !== 'void')
}
