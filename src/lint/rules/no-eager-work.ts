import type { LintRule } from '../lint-types.ts'
import { isGuarded } from '../level-guards.ts'
import { logCallOf } from '../log-call.ts'
import { namesOption, schemaOf, sharedOptions } from '../rule-options.ts'
import { childrenOf, isFunction, unwrapped, type Node, type RuleContext } from '../syntax.ts'

/** Calls that cost less than a lazy function would. */
const cheapCalls = [
  'Date.now',
  'performance.now',
  'process.uptime',
  'process.hrtime.bigint',
  'String',
  'Number',
  'Boolean',
  'BigInt',
]

/**
 * Reports function calls in the arguments of log calls at levels that are usually disabled: they run even if nothing is logged. Calls
 * after a test of `isLevelEnabled` and those of the option `allow` are accepted.
 */
export const noEagerWork: LintRule = {
  meta: {
    type: 'suggestion',
    docs: { description: 'disallow function calls in the arguments of log calls at levels that are usually disabled' },
    hasSuggestions: true,
    schema: schemaOf('eagerLevels', 'allow'),
    messages: {
      work: '{{source}} runs even if the level {{level}} is disabled. Log a function that returns the arguments: {{level}}(() => [message, attributes]).',
      guard: '{{source}} runs even if the level {{level}} is disabled. Call isLevelEnabled("{{level}}") before.',
      json: '{{source}} runs even if the level {{level}} is disabled. Log the value itself, which is serialized only if the level is enabled.',
      lazy: 'Return the arguments from a function, which is called only if the level is enabled.',
    },
  },
  create(context: RuleContext) {
    const options = sharedOptions(context)
    const levels = new Set(namesOption(context, 'eagerLevels') ?? ['trace', 'debug'])
    const allowed = new Set([...cheapCalls, ...(namesOption(context, 'allow') ?? [])])
    return {
      CallExpression(node) {
        const callNode = node as Node
        const call = logCallOf(context, options, callNode)
        if (call === undefined || !levels.has(call.level) || isGuarded(context, callNode, call.level)) return
        const args = callNode.arguments!
        const work = args.map((arg) => firstWork(arg, (found) => allowed.has(calleeText(found)))).find(Boolean)
        if (work === undefined) return
        const source = work.type === 'AwaitExpression' ? 'await' : `${calleeText(work)}()`
        const isJson = source === 'JSON.stringify()' || source.endsWith('inspect()')
        const range = [args[0]!.range[0], args.at(-1)!.range[1]] as const
        const text = context.sourceCode.getText().slice(...range)
        const canBeLazy = !args.some((arg) => isFunction(arg) || suspends(arg))
        context.report({
          node: work,
          messageId: isJson ? 'json' : canBeLazy ? 'work' : 'guard',
          data: { source, level: call.level },
          suggest: canBeLazy
            ? [{ messageId: 'lazy', fix: (fixer) => fixer.replaceTextRange(range, `() => [${text}]`) }]
            : [],
        })
      },
    }

    function calleeText({ callee, tag }: Node): string {
      const called = callee ?? tag
      return called === undefined ? 'import' : context.sourceCode.getText(unwrapped(called)).replaceAll(/\s*\n\s*/g, '')
    }
  },
}

const workTypes = new Set(['CallExpression', 'TaggedTemplateExpression', 'AwaitExpression', 'ImportExpression'])

/** Returns the first call inside an expression, except in functions and except allowed ones. */
function firstWork(node: Node, isAllowed: (call: Node) => boolean): Node | undefined {
  if (isFunction(node)) return undefined
  if (workTypes.has(node.type) && !isAllowed(node)) return node
  for (const child of childrenOf(node)) {
    const found = firstWork(child, isAllowed)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns whether an expression contains `await` or `yield`, which a lazy function cannot contain. */
function suspends(node: Node): boolean {
  if (isFunction(node)) return false
  return node.type === 'AwaitExpression' || node.type === 'YieldExpression' || childrenOf(node).some(suspends)
}
