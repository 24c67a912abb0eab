import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import type { RedactState } from '../../redact/redact.ts'
import type { Serializer } from '../../values/record-rules.ts'
import { plainJson, type Dialect } from './dialect.ts'
import { writableName } from './entry-names.ts'
import { flattenString } from '../json/quote.ts'
import { UniqueNames } from '../../record/unique-names.ts'

/**
 * The data that a walk needs to write a member, computed once for each position and key and then reached by pointer.
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
  // The text before the value of a first member, and before the content of a string as its value: in plain JSON `{"key":` and `{"key":"`
  readonly firstPrefix: string
  readonly firstTextPrefix: string
  // The same after another member: `,"key":`, `,"key":"`
  readonly nextPrefix: string
  readonly nextTextPrefix: string
  // The same after a string whose closing quote is missing: `","key":`, `","key":"`
  readonly closingPrefix: string
  readonly closingTextPrefix: string
  /** The state of the redaction automaton at the member's value. */
  readonly redactState: RedactState
  /** Whether a rule redacts the member's value. */
  readonly isRedacted: boolean
  /** The serializer that is applied to the member's value before it is redacted; undefined for a member without a serializer. */
  readonly serializer: Serializer | undefined
  readonly parent: ShapeNode | undefined
  /** The names up to this node; undefined if every name equals its key. */
  readonly names: BranchNames | undefined
  /** The node that followed this one most recently. */
  recentNextNode: ShapeNode | undefined
  /** Whether a name or key of the shape that ends here is among `checkedBoundNames`. */
  clashesWithBound = false
  /** The bound names for which `clashesWithBound` was computed most recently. */
  checkedBoundNames: object | undefined
  /** Whether the shape that ends here has a name that a layout reserves; undefined until it is computed. */
  hasReservedName: boolean | undefined
  // In a walk that builds values for two targets at once (`PairWalk`): the nodes of the same member for each of them.
  readonly forFirstTarget: ShapeNode | undefined
  readonly forSecondTarget: ShapeNode | undefined
  /** Texts that the walk of a dialect caches for this member, by an index that the walk defines. */
  cachedTexts: (string | undefined)[] | undefined
  /** The following nodes by key. */
  private nodeByNextKey: Map<string, ShapeNode> | undefined
  /** The state of the redaction automaton at the object that has these members. */
  private readonly objectRedactState: RedactState
  private readonly settings: ShapeSettings

  constructor(key: string, objectState: RedactState, parent: ShapeNode | undefined, settings: ShapeSettings) {
    this.key = key
    const { comma, openText, closeText, requiresWellFormed } = settings.dialect
    const name = writableName(key, settings.patterns, requiresWellFormed)
    const areNamesKeys = name === key && parent?.names === undefined
    this.names = areNamesKeys ? undefined : namesUpTo(parent)
    this.name = this.names?.add(this, name) ?? name
    const member = settings.dialect.memberPrefix(this.name)
    this.firstPrefix = flattenString(settings.opening + member)
    this.firstTextPrefix = flattenString(this.firstPrefix + openText)
    this.nextPrefix = flattenString(comma + member)
    this.nextTextPrefix = flattenString(this.nextPrefix + openText)
    this.closingPrefix = flattenString(closeText + this.nextPrefix)
    this.closingTextPrefix = flattenString(closeText + this.nextTextPrefix)
    this.redactState = parent === undefined ? objectState : objectState.step(key)
    this.isRedacted = this.redactState.censor !== undefined
    this.objectRedactState = objectState
    this.serializer = parent === undefined ? undefined : settings.serializers?.get(key)
    this.parent = parent
    this.settings = settings
    this.forFirstTarget =
      settings.targetSettings === undefined
        ? undefined
        : (parent?.forFirstTarget?.follow(key) ?? settings.targetSettings[0].createRoot(objectState))
    this.forSecondTarget =
      settings.targetSettings === undefined
        ? undefined
        : (parent?.forSecondTarget?.follow(key) ?? settings.targetSettings[1].createRoot(objectState))
  }

  /** Returns the node of the member that follows this one. */
  follow(key: string): ShapeNode {
    const known = this.nodeByNextKey?.get(key)
    if (known !== undefined) return (this.recentNextNode = known)
    const node = new ShapeNode(key, this.objectRedactState, this, this.settings)
    this.settings.countNode()
    this.nodeByNextKey ??= new Map()
    this.nodeByNextKey.set(key, node)
    return (this.recentNextNode = node)
  }

  /** Removes all following nodes. */
  clear(): void {
    this.nodeByNextKey = undefined
    this.recentNextNode = undefined
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
  lastNode: ShapeNode | undefined

  /**
   * Returns the name of a node that is added to the branch. A key can occur in two nodes of a branch: one for an attribute that was then
   * omitted, and one that adds it later. Both have the same name.
   */
  add(node: ShapeNode, name: string): string {
    this.lastNode = node
    const known = this.byKey.get(node.key)
    if (known !== undefined) return known
    const free = this.names.add(name)
    this.byKey.set(node.key, free)
    return free
  }
}

/** Returns the names of the branch that ends at `parent`: those of `parent` if no other branch has continued them, otherwise a copy. */
function namesUpTo(parent: ShapeNode | undefined): BranchNames {
  if (parent?.names?.lastNode === parent && parent?.names !== undefined) return parent.names
  const names = new BranchNames()
  const nodes: ShapeNode[] = []
  for (let node = parent; node?.parent !== undefined; node = node.parent) nodes.push(node)
  for (const node of nodes.toReversed()) names.add(node, node.name)
  return names
}

/** The maximum number of nodes in all trees of one `ShapeSettings`. */
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
  /** The settings for the two targets of a `PairWalk`; undefined in the walk of a single target. */
  readonly targetSettings: readonly [ShapeSettings, ShapeSettings] | undefined
  /** The root for each redaction state; undefined if roots are shared with all walks of this dialect. */
  private readonly rootByState: WeakMap<RedactState, ShapeNode> | undefined
  private readonly roots: ShapeNode[] = []
  private nodeCount = 0

  /** @param serializers - set if the members are top-level attributes, which are written without an opening brace */
  constructor(dialect: Dialect = plainJson, serializers?: ReadonlyMap<string, Serializer>, patterns?: TextPatterns) {
    this.dialect = dialect
    this.patterns = patterns
    this.targetSettings = dialect.dialectsOfPair && [
      new ShapeSettings(dialect.dialectsOfPair[0], serializers, patterns),
      new ShapeSettings(dialect.dialectsOfPair[1], serializers, patterns),
    ]
    this.rootByState = patterns === undefined && dialect.sharedShapesIndex !== undefined ? undefined : new WeakMap()
    this.opening = serializers === undefined ? dialect.opening : ''
    this.serializers = serializers
  }

  /** Creates the root of a new tree, for objects at this state of the redaction automaton. */
  createRoot(redactState: RedactState): ShapeNode {
    const root = new ShapeNode('', redactState, undefined, this)
    this.roots.push(root)
    return root
  }

  /** Returns the root for objects at this redaction state; undefined if roots are shared with all walks of this dialect. */
  unsharedRoot(redactState: RedactState): ShapeNode | undefined {
    if (this.rootByState === undefined) return undefined
    const known = this.rootByState.get(redactState)
    if (known !== undefined) return known
    const root = this.createRoot(redactState)
    this.rootByState.set(redactState, root)
    return root
  }

  /**
   * Counts a new node. Keys can be data (ids, names), so all nodes are removed when there are too many. Shapes in use are rebuilt within
   * one record, whereas a permanent limit would make every later shape slow.
   */
  countNode(): void {
    if (this.nodeCount === maxNodes) {
      for (const root of this.roots) root.clear()
      this.nodeCount = 0
    }
    this.nodeCount++
  }
}

/**
 * Returns the root of the shapes of objects at a redaction state. All walks of one dialect share the root, in the state's `walkCache`,
 * unless patterns redact names or the dialect has no `sharedShapesIndex`.
 */
export function rootFor(redactState: RedactState, settings: ShapeSettings): ShapeNode {
  const unsharedRoot = settings.unsharedRoot(redactState)
  if (unsharedRoot !== undefined) return unsharedRoot
  // At least one entry for each `sharedShapesIndex`, without holes, because reading a hole would find a numeric key on a polluted prototype.
  const roots = (redactState.walkCache ??= [undefined, undefined, undefined, undefined]) as (ShapeNode | undefined)[]
  return (roots[settings.dialect.sharedShapesIndex!] ??= settings.createRoot(redactState))
}
