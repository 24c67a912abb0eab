/** The parts of a linter's API and of syntax trees that the rules use. */
export interface RuleContext {
  readonly options: readonly unknown[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly sourceCode: {
    getText(node?: Node): string
    getScope(node: Node): Scope
    getCommentsInside(node: Node): readonly unknown[]
  }
  report(problem: Problem): void
}

export interface Problem {
  readonly node: Node
  readonly messageId: string
  readonly data?: Readonly<Record<string, string>>
  readonly fix?: Fix
  readonly suggest?: readonly Suggestion[]
}

export interface Suggestion {
  readonly messageId: string
  readonly data?: Readonly<Record<string, string>>
  readonly fix: Fix
}

/** Returns changes of the code. */
export type Fix = (fixer: Fixer) => unknown

export interface Fixer {
  replaceTextRange(range: readonly [number, number], text: string): unknown
}

export interface Scope {
  readonly upper: Scope | null
  readonly set: ReadonlyMap<string, Variable>
}

export interface Variable {
  readonly defs: readonly Definition[]
  readonly references: readonly Reference[]
}

export interface Reference {
  /** Whether the reference is the initial assignment of a declaration. */
  readonly init?: boolean
  isWrite(): boolean
}

/** A declaration of a variable. `node` is for an import its specifier, and `parent` the whole import. */
export interface Definition {
  readonly type: string
  /** The declared identifier. */
  readonly name: Node
  readonly node: Node
  readonly parent?: Node | null
}

/** A node of a syntax tree. Its other members depend on `type`. */
export interface Node {
  readonly type: string
  readonly range: readonly [number, number]
  readonly parent?: Node | null
  readonly name?: unknown
  readonly value?: unknown
  readonly operator?: string
  readonly computed?: boolean
  readonly shorthand?: boolean
  readonly object?: Node
  readonly property?: Node
  readonly callee?: Node
  readonly arguments?: readonly Node[]
  readonly elements?: readonly (Node | null)[]
  readonly properties?: readonly Node[]
  readonly expressions?: readonly Node[]
  readonly quasis?: readonly Node[]
  readonly literal?: Node
  readonly kind?: string
  readonly expression?: Node | boolean
  readonly key?: Node
  readonly left?: Node
  readonly right?: Node
  readonly test?: Node | null
  readonly consequent?: Node
  readonly alternate?: Node | null
  readonly argument?: Node
  readonly tag?: Node
  readonly body?: Node
  readonly id?: Node
  readonly init?: Node | null
  readonly imported?: Node
  readonly source?: Node
  readonly typeAnnotation?: Node | null
  readonly typeArguments?: Node | null
  readonly optional?: boolean
  readonly types?: readonly Node[]
}

const wrappers = new Set([
  'ChainExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
])

/** Returns the expression inside parentheses, optional chains and type assertions. */
export function unwrapped(node: Node): Node {
  let inner = node
  while (wrappers.has(inner.type)) inner = inner.expression as Node
  return inner
}

/** Returns the name of a member that is accessed with a dot, without `#`; undefined for other nodes. */
export function memberName(node: Node): string | undefined {
  return node.type === 'MemberExpression' && node.computed !== true ? (node.property!.name as string) : undefined
}

/** Returns the key of a property of an object literal; undefined if it is computed or a spread. */
export function keyOf(property: Node): string | undefined {
  if (property.type !== 'Property' || property.computed === true) return undefined
  const { type, name, value } = property.key!
  return type === 'Identifier' ? (name as string) : String(value)
}

/** Returns the variable that an identifier refers to; undefined for a global without a declaration. */
export function variableOf({ sourceCode }: RuleContext, identifier: Node): Variable | undefined {
  for (let scope: Scope | null = sourceCode.getScope(identifier); scope !== null; scope = scope.upper) {
    const variable = scope.set.get(identifier.name as string)
    if (variable !== undefined) return variable
  }
  return undefined
}

/** Returns whether a variable is assigned another value after its declaration. */
export function isReassigned({ references }: Variable): boolean {
  return references.some((reference) => reference.isWrite() && reference.init !== true)
}

/** Returns the key of the member that a destructured variable has the value of: `b` in `{ b: a = 1 }`. */
export function destructuredKey({ name }: Definition): string | undefined {
  const parent = name.parent?.type === 'AssignmentPattern' ? name.parent.parent : name.parent
  return parent?.type === 'Property' ? keyOf(parent) : undefined
}

/** Returns the nodes directly inside a node, in the order of the source. */
export function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = []
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent' || key === 'loc' || key === 'range') continue
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(child)) children.push(child)
  }
  return children
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/** Returns whether a node is a function: the code inside it does not run where it is written. */
export function isFunction({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression'
}
