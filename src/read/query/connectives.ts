import type { QueryScanner } from './query-scanner.ts'

/** How strongly operators bind their operands. */
export const bindingPowers = { or: 1, and: 2 } as const

/** The words between two conditions. */
export const connectives: readonly string[] = ['and', 'or']

/** Returns the operator `and` or `or` at the current position, without reading it; undefined if something else is there. */
export function peekConnective(scanner: QueryScanner): 'and' | 'or' | undefined {
  scanner.skipSpace()
  if (scanner.text.startsWith('&&', scanner.position)) return 'and'
  if (scanner.text.startsWith('||', scanner.position)) return 'or'
  const word = scanner.peekWord()
  return word === 'and' || word === 'or' ? word : undefined
}

/** Reads an operator between two conditions, if it is next. */
export function takeConnective(scanner: QueryScanner, kind: 'and' | 'or'): boolean {
  if (peekConnective(scanner) !== kind) return false
  return scanner.take(kind === 'and' ? '&&' : '||') || scanner.takeWord(kind)
}

/** Returns whether a condition ends at the current position. */
export function isAtOperandEnd(scanner: QueryScanner): boolean {
  return peekConnective(scanner) !== undefined || scanner.peek() === ')' || scanner.peek() === ''
}
