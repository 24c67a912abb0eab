import { usualMinTextLength, type PatternPreset } from './text-pattern.ts'

/**
 * IP addresses: the four decimal numbers of IPv4 (RFC 791), and all text forms of IPv6 (RFC 4291 section 2.2) with at least one digit and
 * one group. Version numbers with four parts look the same and match too. The prefix length of a network, such as `/24`, stays.
 */
export const ipAddress: PatternPreset = {
  minTextLength: 3,
  lookaheadLength: 64,
  finders: [
    {
      anchor: {
        characters: '.',
        context: String.raw`(?<=\d\.)\d{1,3}\.\d{1,3}\.\d`,
        minTextLength: usualMinTextLength,
      },
      find({ text, startLimit }, addMatch) {
        ipv4.lastIndex = 0
        for (let match = ipv4.exec(text); match !== null && match.index < startLimit; match = ipv4.exec(text))
          addMatch(match.index, ipv4.lastIndex)
      },
    },
    {
      anchor: { characters: ':', context: String.raw`(?<=:)(?::|[\dA-Fa-f]{1,4}:)`, minTextLength: 3 },
      find({ text, startLimit }, addMatch) {
        ipv6Candidate.lastIndex = 0
        for (
          let match = ipv6Candidate.exec(text);
          match !== null && match.index < startLimit;
          match = ipv6Candidate.exec(text)
        ) {
          // A colon or dot at the end of a sentence is not part of the address.
          const address = match[0].replace(/(?<!:):$|\.$/, '')
          if (/\d/.test(address) && isIpv6(address)) addMatch(match.index, match.index + address.length)
        }
      },
    },
  ],
}

const octetSource = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const ipv4 = new RegExp(String.raw`(?<![\w.])${octetSource}(?:\.${octetSource}){3}(?!\w|\.\d)`, 'g')
const ipv6Candidate = /(?<![\w:.])[\dA-Fa-f:.]{2,46}(?![\w:.])/g

function isIpv6(text: string): boolean {
  const [left = '', right, thirdPart] = text.split('::')
  if (thirdPart !== undefined) return false
  const groups = right === undefined ? countGroups(left) : countGroups(left) + countGroups(right)
  return right === undefined ? groups === 8 : groups < 8
}

/**
 * Returns the number of 16-bit groups in a part of an IPv6 address, in which an IPv4 address at the end is two; Infinity if one is invalid.
 */
function countGroups(text: string): number {
  if (text === '') return 0
  const parts = text.split(':')
  const endsWithIpv4 = wholeIpv4.test(parts.at(-1)!)
  const groups = endsWithIpv4 ? parts.slice(0, -1) : parts
  return groups.every((group) => /^[\dA-Fa-f]{1,4}$/.test(group)) ? groups.length + (endsWithIpv4 ? 2 : 0) : Infinity
}

const wholeIpv4 = new RegExp(String.raw`^${octetSource}(?:\.${octetSource}){3}$`)
