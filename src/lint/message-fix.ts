import type { BoundNames } from './bound-names.ts'
import { isError, isErrorName } from './errors.ts'
import type { LogCall } from './log-call.ts'
import { structuredMessage, type MessagePart } from './message-parts.ts'
import { isPrimitive } from './primitives.ts'
import { keyOf, unwrapped, type Fix, type Node, type RuleContext } from './syntax.ts'

/** A change of a log call whose message is built from values to one that names attributes. */
export interface MessageFix {
  /** The message as source code. */
  readonly message: string
  readonly fix: Fix
  /** Whether the text of the message, the other attributes and what is evaluated stay the same, and the changed code compiles. */
  readonly isSafe: boolean
}

/**
 * Returns the change of a log call; undefined if the values have no obvious names, or the attributes are not a literal.
 *
 * @param bound - names of attributes of the logger or its context, which the change is not safe to replace
 */
export function messageFix(
  context: RuleContext,
  { args, isLazy, attributes, logger }: LogCall,
  messageNode: Node,
  parts: readonly MessagePart[],
  bound: BoundNames,
): MessageFix | undefined {
  const { sourceCode } = context
  const argument = args.find((arg) => unwrapped(arg) === messageNode)!
  const properties = attributes?.properties ?? []
  if (properties.some((property) => keyOf(property) === undefined)) return undefined
  // A comment inside the message would be lost, and parentheses around it would contain two arguments.
  if (sourceCode.getCommentsInside(argument).length > 0 || isInParentheses(argument)) return undefined
  // An array that a lazy function returns replaces all arguments.
  const isReturnedAlone = isLazy && argument.parent!.type !== 'ArrayExpression'
  if (isReturnedAlone && args.length > 1) return undefined
  const structured = structuredMessage(parts, properties, logger.boundNames ?? [], bound.names, (node) =>
    sourceCode.getText(node),
  )
  if (structured === undefined) return undefined
  const { message } = structured
  const added = structured.attributes.join(', ')
  const values = parts.filter((part) => typeof part !== 'string')
  // Any other argument could be the attributes.
  const others = args.filter((arg) => arg !== argument && unwrapped(arg) !== attributes)
  const fix = attributes === undefined ? addArgument() : addToAttributes(attributes)
  const isSafe =
    logger.acceptsAnyAttributes &&
    bound.isComplete &&
    !structured.names.some((name) => bound.names.has(name)) &&
    others.every((arg) => isError(context, arg)) &&
    values.every((value) => isPrimitive(context, value))
  return fix && { message, fix, isSafe }

  function addArgument(): Fix | undefined {
    // Attributes that are a variable would no longer be the attributes.
    if (others.some((arg) => !isErrorName(arg) && !isError(context, arg))) return undefined
    const text = `${message}, { ${added} }`
    return (fixer) => fixer.replaceTextRange(argument.range, isReturnedAlone ? `[${text}]` : text)
  }

  /** Adds the attributes where the message is, before or after the others, so that they are evaluated in the same order. */
  function addToAttributes(literal: Node): Fix {
    const [first] = literal.properties!
    const last = literal.properties!.at(-1)
    const isBefore = argument.range[0] < literal.range[0]
    return (fixer) => {
      const newMessage = fixer.replaceTextRange(argument.range, message)
      if (added === '') return newMessage
      if (first === undefined || last === undefined)
        return [newMessage, fixer.replaceTextRange(literal.range, `{ ${added} }`)]
      const position = isBefore ? first.range[0] : last.range[1]
      const text = isBefore ? `${added}, ` : `, ${added}`
      return [newMessage, fixer.replaceTextRange([position, position], text)]
    }
  }

  function isInParentheses({ range, parent }: Node): boolean {
    if (parent!.type === 'ArrowFunctionExpression' || parent!.type === 'ReturnStatement') return false
    const next = sourceCode
      .getText()
      .slice(range[1], parent!.range[1])
      .replace(/^(?:\s|\/\*.*?\*\/|\/\/[^\n]*)+/s, '')
    const isLast = (parent!.arguments ?? parent!.elements!).at(-1)?.range[1] === range[1]
    return next.startsWith(')') && !(isLast && parent!.type === 'CallExpression' && next.length === 1)
  }
}
