import { shortText, type PatternPreset } from './text-pattern.ts'

/**
 * IP addresses: four decimal numbers of version 4 (RFC 791), and all text forms of version 6 (RFC 4291 section 2.2) with at
 * least one digit and one group. Version numbers of four parts look the same, and are found. Networks keep their length: `/24`.
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

/** How many groups of 16 bits; more than there can be where one is not well formed. */
function groupsIn(text: string): number {
  if (text === '') return 0
  const parts = text.split(':')
  const isIn4 = version4Alone.test(parts.at(-1)!)
  const groups = isIn4 ? parts.slice(0, -1) : parts
  return groups.every((group) => /^[\dA-Fa-f]{1,4}$/.test(group)) ? groups.length + (isIn4 ? 2 : 0) : Infinity
}

const version4Alone = new RegExp(String.raw`^${octet}(?:\.${octet}){3}$`)
