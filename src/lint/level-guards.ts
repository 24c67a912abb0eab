import { standardLevels } from './rule-options.ts'
import { isReassigned, memberName, unwrapped, variableOf, type Node, type RuleContext } from './syntax.ts'

/**
 * Returns whether a node runs only if a level is enabled, because of a test of `isLevelEnabled` around it or a jump before it. A test in
 * an outer function counts: the code inside rarely outlives it.
 */
export function isGuarded(context: RuleContext, call: Node, level: string): boolean {
  for (let node = call; node.parent !== undefined && node.parent !== null; node = node.parent) {
    const { parent } = node
    if (parentGuards(parent, node) || statementsBefore(parent, node).some(jumpsIfDisabled)) return true
  }
  return false

  function parentGuards({ type, test, consequent, alternate, body, operator, left, right }: Node, node: Node): boolean {
    switch (type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        return (consequent === node && implies(test!, true)) || (alternate === node && implies(test!, false))
      case 'WhileStatement':
      case 'ForStatement':
        return body === node && test !== undefined && test !== null && implies(test, true)
      case 'LogicalExpression':
        return right === node && operator !== '??' && implies(left!, operator === '&&')
      default:
        return false
    }
  }

  function jumpsIfDisabled({ type, test, consequent, alternate }: Node): boolean {
    if (type !== 'IfStatement') return false
    return (jumps(consequent) && implies(test!, false)) || (jumps(alternate) && implies(test!, true))
  }

  /** Returns whether the level is enabled if a test has this result. */
  function implies(wrappedTest: Node, result: boolean, depth = 0): boolean {
    const test = unwrapped(wrappedTest)
    if (depth > maxDepth) return false
    switch (test.type) {
      case 'CallExpression':
        return result && memberName(unwrapped(test.callee!)) === 'isLevelEnabled' && includes(test.arguments![0])
      case 'UnaryExpression':
        return test.operator === '!' && implies(test.argument!, !result, depth + 1)
      case 'LogicalExpression': {
        const sides = [test.left!, test.right!]
        if (test.operator === '??') return false
        // Both sides have the result of `a && b` if it is true, and of `a || b` if it is false.
        return (test.operator === '&&') === result
          ? sides.some((side) => implies(side, result, depth + 1))
          : sides.every((side) => implies(side, result, depth + 1))
      }
      case 'Identifier': {
        const variable = variableOf(context, test)
        const definition = variable?.defs[0]
        if (variable === undefined || definition?.type !== 'Variable' || isReassigned(variable)) return false
        const { id, init } = definition.node
        return id?.type === 'Identifier' && init !== undefined && init !== null && implies(init, result, depth + 1)
      }
      default:
        return false
    }
  }

  /** Returns whether the level is enabled if the tested one is: the same or a more verbose one, or one that the code does not show. */
  function includes(argument: Node | undefined): boolean {
    const tested = argument && unwrapped(argument)
    if (tested?.type !== 'Literal' || tested.value === level) return true
    const position = standardLevels.indexOf(tested.value as string)
    return position >= 0 && position < standardLevels.indexOf(level)
  }
}

/** How many operators and variables of a test are followed. */
const maxDepth = 10

/** Returns the statements before a node in the same block. */
function statementsBefore({ type, body, consequent }: Node, node: Node): readonly Node[] {
  const statements: unknown = type === 'SwitchCase' ? consequent : body
  return Array.isArray(statements) ? (statements as Node[]).slice(0, Math.max(0, statements.indexOf(node))) : []
}

/** Returns whether the statements after a statement do not run. */
function jumps(statement: Node | null | undefined): boolean {
  if (statement === undefined || statement === null) return false
  if (statement.type === 'BlockStatement') return jumps((statement.body as unknown as readonly Node[]).at(-1))
  return /^(?:Return|Throw|Continue|Break)Statement$/.test(statement.type)
}
