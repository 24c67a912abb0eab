import { parseTemplate } from '../../encode/template/template.ts'
import { nearestName } from '../../options/nearest-name.ts'
import type { LintRule } from '../lint-types.ts'
import { logCallOf } from '../log-call.ts'
import { messageParts } from '../message-parts.ts'
import { namesOption, schemaOf, sharedOptions } from '../rule-options.ts'
import { keyOf, type Node, type RuleContext } from '../syntax.ts'

/**
 * Reports names in braces that the attributes of the call do not have. Only calls with an object literal are checked. Names of the
 * option `bound`, and those that the file shows to be attributes of the logger, are accepted.
 */
export const templateNames: LintRule = {
  meta: {
    type: 'problem',
    docs: { description: 'require the names in a log message to be attributes of the call' },
    hasSuggestions: true,
    schema: schemaOf('bound'),
    messages: {
      missing:
        "The message inserts {{name}}, but the attributes have no such key{{hint}}. If the logger adds it, list it in the rule's option 'bound'.",
      rename: 'Insert {{name}}.',
    },
  },
  create(context: RuleContext) {
    const options = sharedOptions(context)
    const boundEverywhere = namesOption(context, 'bound') ?? []
    return {
      CallExpression(node) {
        const { logger, message, attributes } = logCallOf(context, options, node as Node) ?? {}
        if (message === undefined || attributes === undefined) return
        const parts = messageParts(message)
        const keys = attributes.properties!.map(keyOf)
        if (!parts.every((part) => typeof part === 'string') || keys.includes(undefined)) return
        const names = parseTemplate(parts.join(''))?.names ?? []
        const known = new Set([...keys, ...boundEverywhere, ...(logger?.boundNames ?? [])])
        const missing = names.filter((name) => !known.has(name) && !isErrorName(name))
        if (missing.length === 0) return
        const unused = (keys as string[]).filter((key) => !names.includes(key))
        for (const name of missing) {
          const nearest =
            nearestName(name, unused) ?? (missing.length === 1 && unused.length === 1 ? unused[0] : undefined)
          const source = context.sourceCode.getText(message)
          context.report({
            node: message,
            messageId: 'missing',
            data: { name, hint: hintOf(nearest, unused) },
            suggest:
              nearest === undefined
                ? []
                : [
                    {
                      messageId: 'rename',
                      data: { name: nearest },
                      fix: (fixer) => fixer.replaceTextRange(message.range, renamed(source, name, nearest)),
                    },
                  ],
          })
        }
      },
    }
  },
}

/** Returns the end of the report: the attribute that was probably meant, or those that the message does not insert. */
function hintOf(nearest: string | undefined, unused: readonly string[]): string {
  if (nearest !== undefined) return `; did you mean ${nearest}?`
  return unused.length === 0 ? '' : `; it does not insert ${unused.join(', ')}`
}

/** Returns whether a message can insert this name without an attribute: that of the exception. */
function isErrorName(name: string): boolean {
  return name === 'err' || name === 'error'
}

/** Returns the source code of a message with another name in its braces, but not in `{{name}}`, which is text. */
function renamed(source: string, name: string, newName: string): string {
  const escapedName = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  return source.replaceAll(new RegExp(`(?<=(?:^|[^{])(?:{{)*){${escapedName}(?=[:}])`, 'g'), () => `{${newName}`)
}
