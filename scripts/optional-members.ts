import { parseAst } from 'rolldown/parseAst'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/**
 * Adds `| undefined` to the type of each optional property in a declaration file. Optional properties of this package may be
 * undefined: the compiler assumes that without `exactOptionalPropertyTypes`, and with it the declarations must state it, so that
 * users can pass `level: process.env.LOG_LEVEL`.
 */
export function withExplicitUndefined(text: string): string {
  const types = optionalTypesBelow(parseAst(text, { lang: 'dts' }) as unknown as Node)
  // From the end, because a type can contain another one.
  const edits = types.flatMap(({ start, end, type }): [at: number, text: string][] =>
    needsParentheses.test(type)
      ? [
          [start, '('],
          [end, ') | undefined'],
        ]
      : [[end, ' | undefined']],
  )
  return edits
    .toSorted(([a], [b]) => b - a)
    .reduce((result, [at, added]) => result.slice(0, at) + added + result.slice(at), text)
}

const needsParentheses = /^TS(?:Function|Constructor|Conditional)Type$/
const optionalKinds = /^(?:TSPropertySignature|PropertyDefinition|TSAbstractPropertyDefinition|TSMappedType)$/

/** Returns the types of the optional properties in a node that do not contain undefined. */
function optionalTypesBelow(node: Node): Node[] {
  const below = Object.values(node).flat().filter(isNode).flatMap(optionalTypesBelow)
  const { type, optional, typeAnnotation } = node
  if (!optionalKinds.test(type) || optional !== true || !isNode(typeAnnotation)) return below
  const annotated =
    typeAnnotation.type === 'TSTypeAnnotation' ? (typeAnnotation['typeAnnotation'] as Node) : typeAnnotation
  return includesUndefined(annotated) ? below : [...below, annotated]
}

function includesUndefined(type: Node): boolean {
  if (type.type === 'TSUnionType') return (type['types'] as Node[]).some(includesUndefined)
  return type.type === 'TSUndefinedKeyword' || type.type === 'TSUnknownKeyword' || type.type === 'TSAnyKeyword'
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
