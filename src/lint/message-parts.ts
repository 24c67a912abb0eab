import { isText } from './log-call.ts'
import { keyOf, memberName, unwrapped, type Node } from './syntax.ts'

/** The parts of a message: texts, and expressions whose values are inserted. */
export type MessagePart = string | Node

/** Returns the parts of a template literal or a concatenation. Adjacent texts are separate parts. */
export function messageParts(node: Node): readonly MessagePart[] {
  if (node.type === 'Literal') return [String(node.value)]
  if (node.type === 'TemplateLiteral') {
    return node.quasis!.flatMap(({ value }, index): readonly MessagePart[] => {
      const text = (value as { readonly cooked: string }).cooked
      return index === 0 ? [text] : partsOf(node.expressions![index - 1]!).concat(text)
    })
  }
  if (!isText(node)) return [node]
  return [...messageParts(unwrapped(node.left!)), ...messageParts(unwrapped(node.right!))]
}

/** Returns the parts of a value in a template literal, which can be text itself. */
function partsOf(wrapped: Node): readonly MessagePart[] {
  const node = unwrapped(wrapped)
  return isText(node) ? messageParts(node) : [wrapped]
}

/** A message as a template, and the attributes that it inserts, as source code. */
export interface StructuredMessage {
  readonly message: string
  /** The attributes that are not in the literal yet. */
  readonly attributes: readonly string[]
  /** The names of these attributes. */
  readonly names: readonly string[]
}

/**
 * Returns the parts of a message as a template with attributes; undefined if an expression has no obvious name, or if the text has
 * characters with a meaning in templates.
 *
 * @param existing - the properties of the attributes of the call
 * @param boundNames - names of attributes of the logger, which other values must not replace
 * @param avoidedNames - names for values that have no other name
 */
export function structuredMessage(
  parts: readonly MessagePart[],
  existing: readonly Node[],
  boundNames: readonly string[],
  avoidedNames: ReadonlySet<string>,
  textOf: (node: Node) => string,
): StructuredMessage | undefined {
  const sources = new Map<string | undefined, string | undefined>(boundNames.map((name) => [name, undefined]))
  for (const property of existing) sources.set(keyOf(property), textOf(property.value as Node))
  const attributes: string[] = []
  const names: string[] = []
  let message = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      if (/[{}%]/.test(part)) return undefined
      message += part
      continue
    }
    const { value, format } = insertedValue(part)
    const source = textOf(value)
    const possibleNames = namesOf(value).filter((name) => !sources.has(name) || sources.get(name) === source)
    const name = possibleNames.find((name) => sources.has(name) || !avoidedNames.has(name)) ?? possibleNames[0]
    if (name === undefined) return undefined
    message += `{${name}${format}}`
    if (sources.has(name)) continue
    sources.set(name, source)
    names.push(name)
    attributes.push(name === source ? name : `${name}: ${source}`)
  }
  return { message: quoted(message), attributes, names }
}

/** Returns the value that an expression prints. The argument of `JSON.stringify` can be inserted as JSON. */
function insertedValue(part: Node): { readonly value: Node; readonly format: string } {
  const node = unwrapped(part)
  const { callee, arguments: args } = node
  const isJson = callee?.object?.name === 'JSON' && memberName(callee) === 'stringify' && args!.length === 1
  return isJson ? { value: args![0]!, format: ':json' } : { value: node, format: '' }
}

/** Returns the names that an attribute with this value can have: that of the variable or member, and the whole path. */
function namesOf(value: Node): readonly string[] {
  const path: string[] = []
  let node = unwrapped(value)
  for (let name = memberName(node); name !== undefined; name = memberName(node)) {
    path.unshift(name)
    node = unwrapped(node.object!)
  }
  if (node.type !== 'ThisExpression' && node.type !== 'Identifier') return []
  if (node.type === 'Identifier') path.unshift(node.name as string)
  const whole = path.map((name, index) => (index === 0 ? name : name.charAt(0).toUpperCase() + name.slice(1))).join('')
  const last = path.at(-1)
  if (last === undefined || path.includes('__proto__')) return []
  return unclearNames.has(last) ? [whole] : [last, whole]
}

/** Names that have a meaning only after that of their object. */
const unclearNames: ReadonlySet<string> = new Set(['length', 'size', 'message', 'value', 'current'])

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
