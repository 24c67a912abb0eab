import { list, text } from '../../../options/option-checks.ts'
import type { Format, TransformableInfo } from '../info.ts'
import { defineFormat } from './format.ts'
import { checkedOptions } from './format-options.ts'
import { addMembers, setMember } from '../../../options/define-member.ts'
import { member } from '../../../options/own-members.ts'

/** Options of `format.metadata()`. */
export interface MetadataOptions {
  /**
   * Name of the object that receives the members.
   *
   * @defaultValue `metadata`
   */
  readonly key?: string
  /**
   * Members that are not moved to the object; all others are. If the list is empty, only the members of `fillWith` are moved.
   *
   * @defaultValue `level` and `message`; none if `fillWith` is set
   */
  readonly fillExcept?: readonly string[]
  /**
   * Members that are moved to the object; all others are not. Ignored if `fillExcept` has any names.
   *
   * @defaultValue all members but those of `fillExcept`
   */
  readonly fillWith?: readonly string[]
}

/** Moves members of the info to a separate object. */
export function metadata(given?: MetadataOptions): Format {
  const options = checkedOptions('format.metadata', given, {
    key: text(),
    fillExcept: list(text()),
    fillWith: list(text()),
  })
  const { key = 'metadata', fillWith } = options
  const except = options.fillExcept ?? (fillWith === undefined ? ['level', 'message'] : [])
  return defineFormat((info) => {
    if (except.length === 0) return addMembers(info, { [key]: takeMembers(info, fillWith ?? []) })
    const keptMembers = takeMembers(info, except)
    return addMembers(info, keptMembers, { [key]: takeMembers(info, Object.keys(info)) })
  })()
}

/** Removes members of an info, and returns them as an object. */
function takeMembers(info: TransformableInfo, keys: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const key of keys) {
    setMember(members, key, member(info, key))
    delete info[key]
  }
  return members
}
