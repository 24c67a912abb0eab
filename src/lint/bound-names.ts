import { keyOf, unwrapped, type Node } from './syntax.ts'

/** Returns the keys of attributes: none without attributes, and undefined if they are not a literal with fixed keys. */
export function namesIn(value: Node | undefined): readonly string[] | undefined {
  if (value === undefined) return []
  const attributes = unwrapped(value)
  if (attributes.type !== 'ObjectExpression') return undefined
  const keys = attributes.properties!.map(keyOf)
  return keys.every((key) => key !== undefined) ? keys : undefined
}

/** Options of `createLogger` that add attributes which are not in the code. */
const dynamicOptions = ['enrich', 'baggage', 'handler']

/** Returns the names of the attributes that the options of `createLogger` add; undefined if the code does not show all of them. */
export function namesOfOptions(value: Node | undefined): readonly string[] | undefined {
  if (value === undefined) return []
  const options = unwrapped(value)
  if (options.type !== 'ObjectExpression') return undefined
  const keys = options.properties!.map(keyOf)
  if (keys.some((key) => key === undefined || dynamicOptions.includes(key))) return undefined
  return namesIn(options.properties![keys.indexOf('attributes')]?.value as Node | undefined)
}
