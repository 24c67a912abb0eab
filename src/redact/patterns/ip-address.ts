import { shortText, type PatternPreset } from './text-pattern.ts'

/**
 * IP addresses: the four decimal numbers of IPv4 (RFC 791), and all text forms of IPv6 (RFC 4291 section 2.2) with at least one digit and
 * one group. Version numbers with four parts look the same and match too. The prefix length of a network, such as `/24`, stays.
 */
export const ipAddress: PatternPreset = {
  least: 3,
  longest: 64,
  finders: [
    {
      anchor: { at: '.', where: String.raw`(?<=\d\.)\d{1,3}\.\d{1,3}\.\d`, least: shortText },
      find({ text, end }, take) {
        version4.lastIndex = 0
        for (let found = version4.exec(text); found !== null && found.index < end; found = version4.exec(text))
          take(found.index, version4.lastIndex)
      },
    },
    {
      anchor: { at: ':', where: String.raw`(?<=:)(?::|[\dA-Fa-f]{1,4}:)`, least: 3 },
      find({ text, end }, take) {
        candidate.lastIndex = 0
        for (let found = candidate.exec(text); found !== null && found.index < end; found = candidate.exec(text)) {
          const bare = found[0].replace(/(?<!:):$|\.$/, '')
          if (/\d/.test(bare) && isVersion6(bare)) take(found.index, found.index + bare.length)
        }
      },
    },
  ],
}

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const version4 = new RegExp(String.raw`(?<![\w.])${octet}(?:\.${octet}){3}(?!\w|\.\d)`, 'g')
const candidate = /(?<![\w:.])[\dA-Fa-f:.]{2,46}(?![\w:.])/g

function isVersion6(text: string): boolean {
  const [left = '', right, more] = text.split('::')
  if (more !== undefined) return false
  const groups = right === undefined ? groupsIn(left) : groupsIn(left) + groupsIn(right)
  return right === undefined ? groups === 8 : groups < 8
}

/** Returns the number of 16-bit groups; Infinity if one of them is invalid. */
function groupsIn(text: string): number {
  if (text === '') return 0
  const parts = text.split(':')
  const isIn4 = version4Alone.test(parts.at(-1)!)
  const groups = isIn4 ? parts.slice(0, -1) : parts
  return groups.every((group) => /^[\dA-Fa-f]{1,4}$/.test(group)) ? groups.length + (isIn4 ? 2 : 0) : Infinity
}

const version4Alone = new RegExp(String.raw`^${octet}(?:\.${octet}){3}$`)
