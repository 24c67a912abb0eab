import type { LintRule } from '../lint-types.ts'
import { FileNames } from '../bound-names.ts'
import { isText, logCallOf, type LogCall } from '../log-call.ts'
import { messageFix } from '../message-fix.ts'
import { messageParts } from '../message-parts.ts'
import { namesOption, schemaOf, sharedOptions } from '../rule-options.ts'
import type { Node, RuleContext } from '../syntax.ts'

/**
 * Reports messages that are built from values. Suggests a message that names attributes, and writes it as a fix if neither the text nor
 * what is evaluated can change.
 */
export const noTemplateLiteral: LintRule = {
  meta: {
    type: 'suggestion',
    docs: { description: 'disallow values in the text of log messages' },
    fixable: 'code',
    hasSuggestions: true,
    schema: schemaOf('bound'),
    messages: {
      values:
        'Log values as attributes, and name them in braces in the message, so that equal messages have equal text.',
      replace: 'Write {{message}} and add the values to the attributes.',
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
      // A context can be set after the call, such as where a function that logs is called.
      'Program:exit'() {
        for (const call of calls) check(call)
      },
    }

    function check(call: LogCall): void {
      if (call.message === undefined || !isText(call.message)) return
      const parts = messageParts(call.message)
      if (parts.every((part) => typeof part === 'string')) return
      const found = messageFix(context, call, call.message, parts, fileNames.boundTo(call.logger.boundNames))
      const report = { node: call.message, messageId: 'values' }
      if (found === undefined) return context.report(report)
      const { message, fix, isSafe } = found
      const suggest = [{ messageId: 'replace', data: { message }, fix }]
      context.report(isSafe ? { ...report, fix, suggest } : { ...report, suggest })
    }
  },
}
