import type { Expression, Node, Property } from 'acorn'
import { ProgramError } from '../program-error.ts'
import { parseExpression } from './parse-script.ts'

/**
 * Returns the value of a JavaScript literal: JSON, also with comments, names without quotes, trailing commas and regular expressions.
 * Nothing is evaluated.
 *
 * @throws ProgramError with the position of anything else
 */
export function parseLiteral(text: string): unknown {
  return valueOf(parseExpression(text))
}

function valueOf(node: Expression): unknown {
  switch (node.type) {
    case 'Literal':
      return node.value
    case 'ArrayExpression':
      return node.elements.map((item) => (item === null ? undefined : valueOf(item as Expression)))
    case 'ObjectExpression':
      return Object.fromEntries(node.properties.map((property) => memberOf(property as Property)))
    case 'TemplateLiteral':
      if (node.expressions.length > 0) throw notLiteral(node.expressions[0]!)
      return node.quasis[0]!.value.cooked
    case 'UnaryExpression': {
      const value = node.operator === '-' ? valueOf(node.argument) : undefined
      if (typeof value !== 'number' && typeof value !== 'bigint') throw notLiteral(node)
      return -value
    }
    case 'Identifier':
      if (node.name === 'undefined') return undefined
      throw notLiteral(node)
    default:
      throw notLiteral(node)
  }
}

function memberOf(property: Property): readonly [string, unknown] {
  const { key, type, kind, computed, method, value } = property
  if (type !== 'Property' || kind !== 'init' || computed || method) throw notLiteral(property)
  const name = key.type === 'Identifier' ? key.name : String(valueOf(key))
  return [name, valueOf(value)]
}

function notLiteral({ loc, type }: Node): ProgramError {
  const kind = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return new ProgramError(`must be a literal value, not code (${kind})`, loc!.start.line, loc!.start.column + 1)
}
