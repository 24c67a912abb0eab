import type { RedactState } from '../rules/redact.ts'
import type { Serializer } from '../rules/rules.ts'
import { flat, quote } from './quote.ts'

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
  /** `"key":` */
  readonly open: string
  /** `,"key":` */
  readonly next: string
  /** The rules at the member's value. */
  readonly state: RedactState
  /** Whether the member's value is covered by a rule. */
  readonly covered: boolean
  /** What the member's value goes through first. */
  readonly serializer: Serializer | undefined
  readonly parent: ShapeNode | undefined
  /** The node that followed this one last time. */
  follower: ShapeNode | undefined
  /** Whether the shape that ends here clashes with the bound attributes in `boundSeen`. */
  clashes = false
  boundSeen: object | undefined
  private others: Map<string, ShapeNode> | undefined
  /** The rules of the object whose members these are. */
  private readonly owner: RedactState
  private readonly shapes: ShapeSettings

  constructor(key: string, owner: RedactState, parent: ShapeNode | undefined, shapes: ShapeSettings) {
    this.key = key
    this.open = flat(quote(key) + ':')
    this.next = flat(',' + this.open)
    this.state = parent === undefined ? owner : owner.step(key)
    this.covered = this.state.censor !== undefined
    this.owner = owner
    this.serializer = parent === undefined ? undefined : shapes.serializers?.get(key)
    this.parent = parent
    this.shapes = shapes
  }

  /** The node of the member that comes after this one. */
  follow(key: string): ShapeNode {
    const known = this.others?.get(key)
    if (known !== undefined) return (this.follower = known)
    const node = new ShapeNode(key, this.owner, this, this.shapes)
    // Keys can be data (ids, names): beyond the bound a node serves one member and is forgotten.
    if (this.shapes.left <= 0) return node
    this.shapes.left--
    this.others ??= new Map()
    this.others.set(key, node)
    return (this.follower = node)
  }
}

/** What the nodes of one tree have in common. */
export interface ShapeSettings {
  /** How many more nodes may be kept. */
  left: number
  /** Serializers by key, where the members are top-level attributes. */
  readonly serializers: ReadonlyMap<string, Serializer> | undefined
}

/** The root of the shapes of objects that stand where `state` holds. Its nodes are shared by all writers of the rules. */
export function shapesAt(state: RedactState, settings: ShapeSettings): ShapeNode {
  const cached = state.cache as ShapeNode | undefined
  if (cached !== undefined) return cached
  const root = new ShapeNode('', state, undefined, settings)
  state.cache = root
  return root
}
