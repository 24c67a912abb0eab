import type { LintRule } from '../lint-types.ts'
import { loggerOf } from '../loggers.ts'
import { namesOption, schemaOf, sharedOptions } from '../rule-options.ts'
import { memberName, unwrapped, variableOf, type Node, type RuleContext } from '../syntax.ts'

/** The level of each method of the console that logs. */
const levelOf = new Map([
  ['log', 'info'],
  ['info', 'info'],
  ['warn', 'warn'],
  ['error', 'error'],
  ['debug', 'debug'],
])

/** Reports calls of the console, except of the methods of the option `allow`. Suggests the same call of a logger in scope. */
export const noConsole: LintRule = {
  meta: {
    type: 'suggestion',
    docs: { description: 'disallow the console where a logger is used' },
    hasSuggestions: true,
    schema: schemaOf('allow'),
    messages: {
      console: 'console.{{method}} writes text without a level, redaction or delivery statistics. Use a logger.',
      replace: 'Write {{name}}.{{level}}.',
    },
  },
  create(context: RuleContext) {
    const options = sharedOptions(context)
    const allowed = new Set(namesOption(context, 'allow') ?? [])
    return {
      CallExpression(node) {
        const callee = unwrapped((node as Node).callee!)
        const method = memberName(callee)
        const object = callee.object && unwrapped(callee.object)
        if (method === undefined || object?.type !== 'Identifier' || object.name !== 'console') return
        if (allowed.has(method) || (variableOf(context, object)?.defs.length ?? 0) > 0) return
        const level = levelOf.get(method)
        const name = level === undefined ? undefined : loggerInScope(object)
        context.report({
          node: callee,
          messageId: 'console',
          data: { method },
          suggest:
            name === undefined
              ? []
              : [
                  {
                    messageId: 'replace',
                    data: { name, level: level! },
                    fix: (fixer) => fixer.replaceTextRange(callee.range, `${name}.${level}`),
                  },
                ],
        })
      },
    }

    /** Returns the name of a variable with a logger that can be used where a node is. */
    function loggerInScope({ range, parent, type }: Node): string | undefined {
      return [...options.names].find((name) => {
        const identifier = { type, range, parent: parent ?? null, name }
        return variableOf(context, identifier) !== undefined && loggerOf(context, options, identifier) !== undefined
      })
    }
  },
}
