import { logMethodOf, type FoundMethod } from './loggers.ts'
import type { SharedOptions } from './rule-options.ts'
import { isFunction, unwrapped, type Node, type RuleContext } from './syntax.ts'

/** A call of a log method. */
export interface LogCall extends FoundMethod {
  /** The arguments, with the values that a lazy function returns in place of it, or of all of them if it returns an array. */
  readonly args: readonly Node[]
  /** Whether the first argument is a function, which runs only if the level is enabled. */
  readonly isLazy: boolean
  /** The message, if it is text: a literal, a template literal or a concatenation. */
  readonly message: Node | undefined
  /** The attributes, if they are an object literal. */
  readonly attributes: Node | undefined
}

/** Returns a call as a log call; undefined if it is not a call of a log method of a logger. */
export function logCallOf(context: RuleContext, options: SharedOptions, call: Node): LogCall | undefined {
  const method = logMethodOf(context, options, call.callee!)
  if (method === undefined) return undefined
  const [first] = call.arguments!
  const isLazy = first !== undefined && isFunction(first)
  const args = isLazy ? lazyArguments(first, call.arguments!.slice(1)) : call.arguments!
  const values = args.slice(0, 3).map(unwrapped)
  const messageIndex = values.slice(0, 2).findIndex(isText)
  const attributes = values.find((value, index) => index !== messageIndex && value.type === 'ObjectExpression')
  return { ...method, args, isLazy, message: values[messageIndex], attributes }
}

/**
 * Returns the arguments of a call with a lazy function, which is of one expression or has one `return` at its end: the elements of an array
 * that it returns, or its value and the other arguments.
 */
function lazyArguments({ body }: Node, others: readonly Node[]): readonly Node[] {
  const last = body?.type === 'BlockStatement' ? (body.body as unknown as readonly Node[]).at(-1) : undefined
  const value = last === undefined ? body : last.type === 'ReturnStatement' ? last.argument : undefined
  if (value === undefined || value === null || value.type === 'BlockStatement') return others
  const returned = unwrapped(value)
  if (returned.type !== 'ArrayExpression') return [value, ...others]
  return returned.elements!.filter((element) => element !== null)
}

/** Returns whether an expression is text for certain. */
export function isText(node: Node): boolean {
  if (node.type === 'TemplateLiteral') return true
  if (node.type === 'Literal') return typeof node.value === 'string'
  return (
    node.type === 'BinaryExpression' && node.operator === '+' && [node.left!, node.right!].map(unwrapped).some(isText)
  )
}
