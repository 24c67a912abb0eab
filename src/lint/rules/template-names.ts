import { parseTemplate } from '../../encode/template/template.ts'
import { nearestName } from '../../options/nearest-name.ts'
import type { LintRule } from '../lint-types.ts'
import { FileNames } from '../bound-names.ts'
import { logCallOf, type LogCall } from '../log-call.ts'
import { messageParts } from '../message-parts.ts'
import { namesOption, schemaOf, sharedOptions } from '../rule-options.ts'
import { keyOf, type Node, type RuleContext, type Suggestion } from '../syntax.ts'

/**
 * Reports names in braces that the attributes of the call do not have. Only calls with an object literal are checked. Names of the
 * option `bound`, and those that the file shows to be attributes of the logger or its context, are accepted. If the file does not show
 * all attributes of the logger, only a name that is similar to an attribute is reported.
 */
export const templateNames: LintRule = {
  meta: {
    type: 'problem',
    docs: { description: 'require the names in a log message to be attributes of the call' },
    hasSuggestions: true,
    schema: schemaOf('bound'),
    messages: {
      missing:
        'The message inserts "{{name}}", which is not a key of the attributes.{{hint}} If the logger or the context adds it, list it in the option "bound".',
      rename: 'Insert "{{name}}".',
    },
  },
  create(context: RuleContext) {
    const options = sharedOptions(context)
    const calls: LogCall[] = []
    const fileNames = new FileNames(namesOption(context, 'bound') ?? [])
    return {
      CallExpression(node) {
        const call = logCallOf(context, options, node as Node)
        if (call === undefined) fileNames.add(context, node as Node)
        else calls.push(call)
      },
      // A name can be bound after the call, such as where a function that logs is called.
      'Program:exit'() {
        for (const call of calls) check(call)
      },
    }

    function check({ logger, message, attributes }: LogCall): void {
      if (message === undefined || attributes === undefined) return
      const parts = messageParts(message)
      const keys = attributes.properties!.map(keyOf)
      if (!parts.every((part) => typeof part === 'string') || keys.includes(undefined)) return
      const names = parseTemplate(parts.join(''))?.names ?? []
      const bound = fileNames.boundTo(logger.boundNames)
      const missing = names.filter((name) => !keys.includes(name) && !bound.names.has(name) && !isErrorName(name))
      const unused = (keys as string[]).filter((key) => !names.includes(key))
      for (const name of missing) {
        const similar = similarName(name, unused)
        if (similar === undefined && !bound.isComplete) continue
        const meant = similar ?? (missing.length === 1 && unused.length === 1 ? unused[0] : undefined)
        const source = context.sourceCode.getText(message)
        const rename = (newName: string): Suggestion => ({
          messageId: 'rename',
          data: { name: newName },
          fix: (fixer) => fixer.replaceTextRange(message.range, renamed(source, name, newName)),
        })
        context.report({
          node: message,
          messageId: 'missing',
          data: { name, hint: hintOf(meant, unused) },
          suggest: meant === undefined ? [] : [rename(meant)],
        })
      }
    }
  },
}

/** Returns the attribute that was probably meant. Among names of one or two letters, any two would be similar. */
function similarName(name: string, unused: readonly string[]): string | undefined {
  return name.length < 3
    ? unused.find((key) => key.toLowerCase() === name.toLowerCase())
    : nearestName(
        name,
        unused.filter(({ length }) => length > 2),
      )
}

/** Returns the sentence after the report: the attribute that was probably meant, or those that the message does not insert. */
function hintOf(meant: string | undefined, unused: readonly string[]): string {
  if (meant !== undefined) return ` Did you mean "${meant}"?`
  return unused.length === 0 ? '' : ` Unused keys: ${unused.join(', ')}.`
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
