import type { LintRule } from '../lint-types.ts'
import { isText, logCallOf, type LogCall } from '../log-call.ts'
import { messageParts, structuredMessage, type MessagePart } from '../message-parts.ts'
import { schemaOf, sharedOptions } from '../rule-options.ts'
import { keyOf, unwrapped, type Node, type RuleContext, type Suggestion } from '../syntax.ts'

/** Reports messages that are built from values. Suggests a message that names attributes. */
export const noTemplateLiteral: LintRule = {
  meta: {
    type: 'suggestion',
    docs: { description: 'disallow values in the text of log messages' },
    hasSuggestions: true,
    schema: schemaOf(),
    messages: {
      values:
        'Log values as attributes, and name them in braces in the message, so that equal messages have equal text.',
      replace: 'Write {{message}} and add the values to the attributes.',
    },
  },
  create(context: RuleContext) {
    const options = sharedOptions(context)
    return {
      CallExpression(node) {
        const call = logCallOf(context, options, node as Node)
        if (call?.message === undefined || !isText(call.message)) return
        const parts = messageParts(call.message)
        if (parts.every((part) => typeof part === 'string')) return
        const suggestion = suggestionFor(context, call, call.message, parts)
        context.report({
          node: call.message,
          messageId: 'values',
          suggest: suggestion === undefined ? [] : [suggestion],
        })
      },
    }
  },
}

function suggestionFor(
  { sourceCode }: RuleContext,
  { args, isLazy, attributes }: LogCall,
  messageNode: Node,
  parts: readonly MessagePart[],
): Suggestion | undefined {
  const properties = attributes?.properties ?? []
  if (properties.some((property) => keyOf(property) === undefined)) return undefined
  const structured = structuredMessage(parts, properties, (node) => sourceCode.getText(node))
  if (structured === undefined) return undefined
  const { message } = structured
  const added = structured.attributes.join(', ')
  const argument = args.find((arg) => unwrapped(arg) === messageNode)!
  const insertAfterMessage = (): Suggestion['fix'] | undefined => {
    // Attributes that are a variable would no longer be the attributes.
    const others = args.filter((arg) => arg !== argument)
    if (others.some((arg) => !isErrorName(unwrapped(arg)))) return undefined
    const isReturnedAlone = isLazy && argument.parent!.type !== 'ArrayExpression'
    const text = `${message}, { ${added} }`
    return (fixer) => fixer.replaceTextRange(argument.range, isReturnedAlone ? `[${text}]` : text)
  }
  const addToAttributes = (literal: Node): Suggestion['fix'] => {
    const last = literal.properties!.at(-1)
    return (fixer) => [
      fixer.replaceTextRange(argument.range, message),
      ...(added === ''
        ? []
        : last === undefined
          ? [fixer.replaceTextRange(literal.range, `{ ${added} }`)]
          : [fixer.replaceTextRange([last.range[1], last.range[1]], `, ${added}`)]),
    ]
  }
  const fix = attributes === undefined ? insertAfterMessage() : addToAttributes(attributes)
  return fix === undefined ? undefined : { messageId: 'replace', data: { message }, fix }
}

/** Returns whether an argument is probably an error, which can follow the attributes. */
function isErrorName({ type, name }: Node): boolean {
  return type === 'Identifier' && /^(?:e|err|error|ex|exception|cause|reason)$/i.test(name as string)
}
