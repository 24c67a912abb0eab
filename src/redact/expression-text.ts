import { maxTestedKeyLength } from './key-test.ts'
import { patternCostProblem } from './pattern-cost.ts'

/**
 * The text of a regular expression with its slashes. A JSON Pointer has the same form if its last name consists of flags, as in `/user/i`,
 * which is rare.
 */
const expressionText = /^\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([gim]{0,3})$/

/** Returns the text of a regular expression if the option `keys` accepts it without quotes; undefined for any other text. */
export function asKeyExpression(text: string): string | undefined {
  const [, source, flags] = expressionText.exec(text) ?? []
  if (source === undefined) return undefined
  try {
    return patternCostProblem(new RegExp(source, flags), maxTestedKeyLength) === undefined ? text : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a text is probably meant as a regular expression or as a JSON Pointer, valid or not. */
export function isBetweenSlashes(text: string): boolean {
  return /^\/.+\/[a-z]*$/s.test(text)
}

/** Returns the expression for a name with stars, such as `/^pass/` for `pass*`; undefined for any other text. */
export function expressionForStars(name: string, flags: string): string | undefined {
  if (!/^[\w*-]*\*[\w*-]*$/.test(name) || !/\w/.test(name)) return undefined
  const start = name.startsWith('*') ? '' : '^'
  const end = name.endsWith('*') ? '' : '$'
  return asKeyExpression(`/${start}${name.split(/\*+/).filter(Boolean).join('.*')}${end}/${flags}`)
}

/** Returns a copy of a regular expression; undefined for another value, or if one of its getters throws. */
export function copyExpression(value: unknown): RegExp | undefined {
  try {
    // Not instanceof, because the value may come from another realm. The built-in getter throws for a value that is not a RegExp.
    sourceGetter.call(value)
    return new RegExp(value as RegExp)
  } catch {
    return undefined
  }
}

// oxlint-disable-next-line typescript/unbound-method
const sourceGetter = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source')!.get!
