import { list, text } from '../../../options/option-checks.ts'
import type { Format, TransformableInfo } from '../info.ts'
import { formatOf } from './format.ts'
import { optionsOf } from './format-options.ts'
import { addMembers, setMember } from '../../../options/define-member.ts'
import { member } from '../../../options/own-members.ts'

/** Options of `format.metadata()`. */
export interface MetadataOptions {
  /** Where the members go. Default `metadata`. */
  readonly key?: string
  /** All members go there but these. Default `level` and `message`. */
  readonly fillExcept?: readonly string[]
  /** Only these members go there. */
  readonly fillWith?: readonly string[]
}

/** Gathers members of the info in an object of their own. */
export function metadata(given?: MetadataOptions): Format {
  const options = optionsOf('format.metadata', given, {
    key: text(),
    fillExcept: list(text()),
    fillWith: list(text()),
  })
  const { key = 'metadata', fillWith } = options
  const except = options.fillExcept ?? (fillWith === undefined ? ['level', 'message'] : [])
  return formatOf((info) => {
    if (except.length === 0) return addMembers(info, { [key]: moved(info, fillWith ?? []) })
    const kept = moved(info, except)
    return addMembers(info, kept, { [key]: moved(info, Object.keys(info)) })
  })()
}

function moved(info: TransformableInfo, keys: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const key of keys) {
    setMember(members, key, member(info, key))
    delete info[key]
  }
  return members
}
