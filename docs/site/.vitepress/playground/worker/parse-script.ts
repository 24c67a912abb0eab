import { parse, parseExpressionAt, tokenizer, tokTypes, type Expression, type Program } from 'acorn'
import { ProgramError } from '../program-error.ts'

/**
 * Parses a module.
 *
 * @throws ProgramError with the position of a syntax error
 */
export function parseModule(code: string): Program {
  return withPosition(() => parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true }))
}

/**
 * Parses text that is one expression, with spaces and comments around it.
 *
 * @throws ProgramError with the position of a syntax error, or of what follows the expression
 */
export function parseExpression(text: string): Expression {
  const options = { ecmaVersion: 'latest', locations: true } as const
  const expression = withPosition(() => parseExpressionAt(text, 0, options))
  const rest = withPosition(() => tokenizer(text.slice(expression.end), options).getToken())
  if (rest.type === tokTypes.eof) return expression
  const { line, column } = expression.loc!.end
  throw new ProgramError('the value ends here, but more text follows', line, column + 1)
}

function withPosition<T>(parseText: () => T): T {
  try {
    return parseText()
  } catch (error) {
    const { message, loc } = error as Error & { readonly loc?: { readonly line: number; readonly column: number } }
    // The parser adds the position to the message.
    const text = message.replace(/ \(\d+:\d+\)$/, '')
    throw new ProgramError(text, loc?.line ?? 1, (loc?.column ?? 0) + 1)
  }
}
