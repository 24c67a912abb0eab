import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { RedactState } from '../../redact/redact.ts'
import type { Serializer } from '../../values/record-rules.ts'
import { plainJson, type Dialect } from './dialect.ts'
import { writableName } from './entry-names.ts'
import { flat } from '../json/quote.ts'
import { UniqueNames } from '../../record/unique-names.ts'

/**
 * What the writer needs to know of a member: found once for each place and key, then followed by pointer.
 *
 * The keys of an object are walked down a tree: the node of a key hangs below the node of the key before it. Objects of
 * one shape therefore follow one branch, and each step is a comparison of two interned strings. The last node reached
 * identifies the shape.
 *
 *     root ── "userId" ── "cart" ── "total"      {userId, cart, total}
 *                 └────── "total"                {userId, total}
 */
export class ShapeNode {
  readonly key: string
  /** The key as it is written: patterns may find something in it, and OTLP needs it well-formed. */
  readonly name: string
  /** What leads to the value of a first member, and to its text where it is a string: in plain JSON `{"key":` and `{"key":"` */
  readonly first: string
  readonly firstText: string
  /** The same behind another member: `,"key":`, `,"key":"` */
  readonly next: string
  readonly nextText: string
  /** The same behind a string that wants its closing quote: `","key":`, `","key":"` */
  readonly after: string
  readonly afterText: string
  /** The rules at the member's value. */
  readonly state: RedactState
  /** Whether the member's value is covered by a rule. */
  readonly covered: boolean
  /** What the member's value goes through first. */
  readonly serializer: Serializer | undefined
  readonly parent: ShapeNode | undefined
  /** The names up to here; undefined where each is the object's own. */
  readonly names: BranchNames | undefined
  /** The node that followed this one last time. */
  follower: ShapeNode | undefined
  /** Whether the shape that ends here clashes with the bound attributes in `boundSeen`. */
  clashes = false
  boundSeen: object | undefined
  /** Whether the shape that ends here has a name that a layout reserves; undefined until somebody asks. */
  reserved: boolean | undefined
  /** The nodes of the same member in the dialects of a pair. */
  readonly left: ShapeNode | undefined
  readonly right: ShapeNode | undefined
  /** What a dialect keeps of this member. */
  forms: (string | undefined)[] | undefined
  private others: Map<string, ShapeNode> | undefined
  /** The rules of the object whose members these are. */
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
    this.covered = this.state.censor !== undefined
    this.owner = owner
    this.serializer = parent === undefined ? undefined : shapes.serializers?.get(key)
    this.parent = parent
    this.shapes = shapes
    this.left = shapes.pair === undefined ? undefined : (parent?.left?.follow(key) ?? shapes.pair[0].root(owner))
    this.right = shapes.pair === undefined ? undefined : (parent?.right?.follow(key) ?? shapes.pair[1].root(owner))
  }

  /** The node of the member that comes after this one. */
  follow(key: string): ShapeNode {
    const known = this.others?.get(key)
    if (known !== undefined) return (this.follower = known)
    const node = new ShapeNode(key, this.owner, this, this.shapes)
    this.shapes.makeRoom()
    this.others ??= new Map()
    this.others.set(key, node)
    return (this.follower = node)
  }

  /** Forgets what follows. */
  clear(): void {
    this.others = undefined
    this.follower = undefined
  }
}

/**
 * The names of a branch: what was different may be the same as it is written, and then gets a number. The nodes of a branch
 * share one list, until a second branch grows out of one of them.
 */
class BranchNames {
  private readonly names = new UniqueNames()
  private readonly byKey = new Map<string, string>()
  /** The last node of the branch. */
  last: ShapeNode | undefined

  /** The name of a node that is added. A key occurs twice only where its first member was not written: it keeps its name. */
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

/** How many nodes are kept. */
const maxNodes = 10_000

/** What the nodes of some trees have in common. */
export class ShapeSettings {
  /** Serializers by key, where the members are top-level attributes. */
  readonly serializers: ReadonlyMap<string, Serializer> | undefined
  /** What stands in front of the first member. */
  readonly opening: string
  readonly dialect: Dialect
  /** What no name may hold. */
  readonly patterns: TextPatterns | undefined
  /** The same in the dialects of a pair. */
  readonly pair: readonly [ShapeSettings, ShapeSettings] | undefined
  /** The shapes at each state where names are not those of everybody who writes in this dialect. */
  private readonly own: WeakMap<RedactState, ShapeNode> | undefined
  private readonly roots: ShapeNode[] = []
  private nodes = 0

  /** `serializers`: the members are top-level attributes, which stand in no object. */
  constructor(dialect: Dialect = plainJson, serializers?: ReadonlyMap<string, Serializer>, patterns?: TextPatterns) {
    this.dialect = dialect
    this.patterns = patterns
    this.pair = dialect.pair && [
      new ShapeSettings(dialect.pair[0], serializers, patterns),
      new ShapeSettings(dialect.pair[1], serializers, patterns),
    ]
    this.own = patterns === undefined && dialect.slot !== undefined ? undefined : new WeakMap()
    this.opening = serializers === undefined ? dialect.opening : ''
    this.serializers = serializers
  }

  root(state: RedactState): ShapeNode {
    const root = new ShapeNode('', state, undefined, this)
    this.roots.push(root)
    return root
  }

  /** The root for objects that stand where `state` holds; undefined where it is everybody's. */
  ownRoot(state: RedactState): ShapeNode | undefined {
    if (this.own === undefined) return undefined
    const known = this.own.get(state)
    if (known !== undefined) return known
    const root = this.root(state)
    this.own.set(state, root)
    return root
  }

  /**
   * Counts one more node. Keys can be data (ids, names), and then all nodes are forgotten at times: what is in use is there
   * again after one record, where a bound that is reached for good would make each later shape slow.
   */
  makeRoom(): void {
    if (this.nodes === maxNodes) {
      for (const root of this.roots) root.clear()
      this.nodes = 0
    }
    this.nodes++
  }
}

/** The root of the shapes of objects that stand where `state` holds. Its nodes are shared by all who write in one dialect. */
export function shapesAt(state: RedactState, settings: ShapeSettings): ShapeNode {
  const own = settings.ownRoot(state)
  if (own !== undefined) return own
  // No holes: what somebody puts on a prototype under a number would be found in them.
  const roots = (state.cache ??= [undefined, undefined, undefined, undefined]) as (ShapeNode | undefined)[]
  return (roots[settings.dialect.slot!] ??= settings.root(state))
}
