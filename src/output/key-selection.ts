import { NameMatcher } from '../encode/pretty/settings.ts'
import type { AnyValue, AnyValueMap } from '../record/any-value.ts'

/**
 * Selects attributes by the names of `-i` and `-x`. A name can have a `*` at its end, and can be the path of a member: `user.id` is the
 * attribute of that name, and the member `id` of the attribute `user`.
 */
export class KeySelection {
  /** Whether all attributes are selected. */
  readonly selectsAll: boolean
  /** Whether only listed attributes are selected. */
  readonly showsListedOnly: boolean
  private readonly shown: NameMatcher | undefined
  private readonly hidden: NameMatcher
  private readonly hiddenFields: NameMatcher
  private readonly patterns: readonly string[]

  /**
   * @param showKeys - the only names that are shown; undefined for all
   * @param hideKeys - the names that are not shown, which have precedence
   */
  constructor(showKeys: readonly string[] | undefined, hideKeys: readonly string[]) {
    this.shown = showKeys === undefined ? undefined : new NameMatcher(showKeys)
    this.hidden = new NameMatcher(hideKeys)
    // `*` means all attributes. A record without its time, level and message would be empty.
    this.hiddenFields = new NameMatcher(hideKeys.filter((key) => key !== '*'))
    this.patterns = [...(showKeys ?? []), ...hideKeys]
    this.showsListedOnly = showKeys !== undefined
    this.selectsAll = showKeys === undefined && hideKeys.length === 0
  }

  /** Returns whether a name is shown. */
  allows(name: string): boolean {
    return (this.shown === undefined || this.shown.matches(name)) && !this.hidden.matches(name)
  }

  /** Returns whether a field that is not an attribute, such as the message, is listed as hidden. */
  hides(name: string): boolean {
    return this.hiddenFields.matches(name)
  }

  /** Returns the attributes that are shown; the same map if these are all. */
  select(attributes: AnyValueMap): AnyValueMap {
    return this.selectsAll ? attributes : this.selectMembers(attributes, '', this.shown === undefined)
  }

  private selectMembers(members: AnyValueMap, parent: string, isParentShown: boolean): AnyValueMap {
    const selected = new Map<string, AnyValue>()
    for (const [key, value] of members) {
      const path = parent + key
      if (this.hidden.matches(path)) continue
      const isShown = isParentShown || this.shown!.matches(path)
      if (value instanceof Map && this.mayMatchBelow(path)) {
        const inner = this.selectMembers(value as AnyValueMap, `${path}.`, isShown)
        if (isShown || inner.size > 0) selected.set(key, inner)
      } else if (isShown) selected.set(key, value)
    }
    return selected
  }

  private mayMatchBelow(path: string): boolean {
    return this.patterns.some((pattern) => pattern.startsWith(`${path}.`))
  }
}
