import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { RedactState } from '../../redact/redact.ts'
import type { Serializer } from '../../values/record-rules.ts'
import { plainJson, type Dialect } from './dialect.ts'
import { writableName } from './entry-names.ts'
import { flat } from '../json/quote.ts'
import { UniqueNames } from '../../record/unique-names.ts'

/**
 * The data of a member that the writer needs, computed once for each position and key and then reached by pointer.
 *
 * The keys of an object follow a path in a tree: the node of a key is a child of the node of the previous key. So objects of
 * one shape follow one branch, and each step compares two interned strings. The last node identifies the shape.
 *
 *     root ── "userId" ── "cart" ── "total"      {userId, cart, total}
 *                 └────── "total"                {userId, total}
 */
export class ShapeNode {
  readonly key: string
  /** The written name of the key: with pattern matches redacted, and well-formed for OTLP. */
  readonly name: string
  // The text before the value of a first member, and before its content if it is a string: in plain JSON `{"key":` and `{"key":"`
  readonly first: string
  readonly firstText: string
  // The same after another member: `,"key":`, `,"key":"`
  readonly next: string
  readonly nextText: string
  // The same after a string whose closing quote is missing: `","key":`, `","key":"`
  readonly after: string
  readonly afterText: string
  /** The rules for the member's value. */
  readonly state: RedactState
  /** Whether a rule redacts the member's value. */
  readonly isRedacted: boolean
  /** The serializer that is applied to the member's value first. */
  readonly serializer: Serializer | undefined
  readonly parent: ShapeNode | undefined
  /** The names up to this node; undefined if every name equals its key. */
  readonly names: BranchNames | undefined
  /** The node that followed this one most recently. */
  nextShape: ShapeNode | undefined
  /** Whether a name or key of the shape that ends here is among the bound names in `boundSeen`. */
  clashes = false
  boundSeen: object | undefined
  /** Whether the shape that ends here has a name that a layout reserves; undefined until it is computed. */
  reserved: boolean | undefined
  // The nodes of the same member in the dialects of a pair.
  readonly left: ShapeNode | undefined
  readonly right: ShapeNode | undefined
  /** The text that a dialect caches for this member. */
  forms: (string | undefined)[] | undefined
  private others: Map<string, ShapeNode> | undefined
  /** The rules for the object that has these members. */
  private readonly owner: RedactState
  private readonly shapes: ShapeSettings

  constructor(key: string, owner: RedactState, parent: ShapeNode | undefined, shapes: ShapeSettings) {
    this.key = key
    const { comma, text, closeText, wellFormed } = shapes.dialect
    const name = writableName(key, shapes.patterns, wellFormed)
    const isOwn = name === key && parent?.names === undefined
    this.names = isOwn ? undefined : namesUpTo(parent)
    this.name = this.names?.of(this, name) ?? name
    const member = shapes.dialect.member(this.name)
    this.first = flat(shapes.opening + member)
    this.firstText = flat(this.first + text)
    this.next = flat(comma + member)
    this.nextText = flat(this.next + text)
    this.after = flat(closeText + this.next)
    this.afterText = flat(closeText + this.nextText)
    this.state = parent === undefined ? owner : owner.step(key)
    this.isRedacted = this.state.censor !== undefined
    this.owner = owner
    this.serializer = parent === undefined ? undefined : shapes.serializers?.get(key)
    this.parent = parent
    this.shapes = shapes
    this.left = shapes.pair === undefined ? undefined : (parent?.left?.follow(key) ?? shapes.pair[0].root(owner))
    this.right = shapes.pair === undefined ? undefined : (parent?.right?.follow(key) ?? shapes.pair[1].root(owner))
  }

  /** Returns the node of the member that follows this one. */
  follow(key: string): ShapeNode {
    const known = this.others?.get(key)
    if (known !== undefined) return (this.nextShape = known)
    const node = new ShapeNode(key, this.owner, this, this.shapes)
    this.shapes.makeRoom()
    this.others ??= new Map()
    this.others.set(key, node)
    return (this.nextShape = node)
  }

  /** Removes all following nodes. */
  clear(): void {
    this.others = undefined
    this.nextShape = undefined
  }
}

/**
 * The names of a branch. Different keys may have equal written names, which then get a number. The nodes of a branch share one list, until
 * a second branch starts at one of them.
 */
class BranchNames {
  private readonly names = new UniqueNames()
  private readonly byKey = new Map<string, string>()
  /** The last node of the branch. */
  last: ShapeNode | undefined

  /** Returns the name of a node that is added. A key occurs twice only if its first member was not written, and keeps its name. */
  of(node: ShapeNode, name: string): string {
    this.last = node
    const known = this.byKey.get(node.key)
    if (known !== undefined) return known
    const free = this.names.add(name)
    this.byKey.set(node.key, free)
    return free
  }
}

function namesUpTo(parent: ShapeNode | undefined): BranchNames {
  if (parent?.names?.last === parent && parent?.names !== undefined) return parent.names
  const names = new BranchNames()
  const nodes: ShapeNode[] = []
  for (let node = parent; node?.parent !== undefined; node = node.parent) nodes.push(node)
  for (const node of nodes.toReversed()) names.of(node, node.name)
  return names
}

/** The maximum number of nodes in the trees of one walk. */
const maxNodes = 10_000

/** The settings that the nodes of several trees share. */
export class ShapeSettings {
  /** Serializers by key, if the members are top-level attributes. */
  readonly serializers: ReadonlyMap<string, Serializer> | undefined
  /** The text before the first member. */
  readonly opening: string
  readonly dialect: Dialect
  /** The patterns that redact names. */
  readonly patterns: TextPatterns | undefined
  /** The settings for the dialects of a pair. */
  readonly pair: readonly [ShapeSettings, ShapeSettings] | undefined
  /** The shapes for each state, if their names cannot be shared with all walks of this dialect. */
  private readonly rootByState: WeakMap<RedactState, ShapeNode> | undefined
  private readonly roots: ShapeNode[] = []
  private nodes = 0

  /** @param serializers - set if the members are top-level attributes, which are written without an opening brace */
  constructor(dialect: Dialect = plainJson, serializers?: ReadonlyMap<string, Serializer>, patterns?: TextPatterns) {
    this.dialect = dialect
    this.patterns = patterns
    this.pair = dialect.pair && [
      new ShapeSettings(dialect.pair[0], serializers, patterns),
      new ShapeSettings(dialect.pair[1], serializers, patterns),
    ]
    this.rootByState = patterns === undefined && dialect.slot !== undefined ? undefined : new WeakMap()
    this.opening = serializers === undefined ? dialect.opening : ''
    this.serializers = serializers
  }

  /** Creates the root of a new tree. */
  root(state: RedactState): ShapeNode {
    const root = new ShapeNode('', state, undefined, this)
    this.roots.push(root)
    return root
  }

  /** Returns the root for objects to which `state` applies; undefined if it is shared with all walks of this dialect. */
  ownRoot(state: RedactState): ShapeNode | undefined {
    if (this.rootByState === undefined) return undefined
    const known = this.rootByState.get(state)
    if (known !== undefined) return known
    const root = this.root(state)
    this.rootByState.set(state, root)
    return root
  }

  /**
   * Counts a new node. Keys can be data (ids, names), so all nodes are removed when there are too many. Shapes in use are rebuilt within
   * one record, whereas a permanent limit would make every later shape slow.
   */
  makeRoom(): void {
    if (this.nodes === maxNodes) {
      for (const root of this.roots) root.clear()
      this.nodes = 0
    }
    this.nodes++
  }
}

/**
 * Returns the root of the shapes of objects to which `state` applies. All walks of one dialect share its nodes unless names are redacted.
 */
export function shapesAt(state: RedactState, settings: ShapeSettings): ShapeNode {
  const own = settings.ownRoot(state)
  if (own !== undefined) return own
  // No holes, because reading a hole would find a numeric key on a polluted prototype.
  const roots = (state.cache ??= [undefined, undefined, undefined, undefined]) as (ShapeNode | undefined)[]
  return (roots[settings.dialect.slot!] ??= settings.root(state))
}
