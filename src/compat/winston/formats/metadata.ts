import { list, text } from '../../../options/option-checks.ts'
import type { Format, TransformableInfo } from '../info.ts'
import { formatOf } from './format.ts'
import { optionsOf } from './format-options.ts'
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
   * Members that are not moved to the object. All others are.
   *
   * @defaultValue `level` and `message`
   */
  readonly fillExcept?: readonly string[]
  /** Members that are moved to the object. All others are not. */
  readonly fillWith?: readonly string[]
}

/** Moves members of the info to a separate object. */
export function metadata(given?: MetadataOptions): Format {
  const options = optionsOf('format.metadata', given, {
    key: text(),
    fillExcept: list(text()),
    fillWith: list(text()),
  })
  const { key = 'metadata', fillWith } = options
  const except = options.fillExcept ?? (fillWith === undefined ? ['level', 'message'] : [])
  return formatOf((info) => {
    if (except.length === 0) return addMembers(info, { [key]: takeMembers(info, fillWith ?? []) })
    const kept = takeMembers(info, except)
    return addMembers(info, kept, { [key]: takeMembers(info, Object.keys(info)) })
  })()
}

function takeMembers(info: TransformableInfo, keys: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const key of keys) {
    setMember(members, key, member(info, key))
    delete info[key]
  }
  return members
}
