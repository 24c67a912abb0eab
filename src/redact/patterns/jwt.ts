import { usualMinTextLength, type PatternPreset } from './text-pattern.ts'

/**
 * JSON Web Tokens, signed or encrypted (RFC 7515 section 7.1, RFC 7516 section 7.1): base64url parts separated by dots. The first part is a
 * JSON object, which always begins with `eyJ`. A token without its signature still reveals its claims, so it matches if the second part is
 * a JSON object too.
 */
export const jwt: PatternPreset = {
  minTextLength: 12,
  lookaheadLength: 16_384,
  finders: [
    {
      anchor: { characters: 'J', context: '(?<=eyJ)', minTextLength: usualMinTextLength },
      find({ text, startLimit, isCut }, addMatch) {
        for (let at = text.indexOf('eyJ'); at >= 0 && at < startLimit;) {
          const headerEnd = base64urlEnd(text, at)
          const claimsEnd = text.charCodeAt(headerEnd) === dot ? base64urlEnd(text, headerEnd + 1) : headerEnd
          let to = claimsEnd
          let partCount = 2
          while (partCount < maxParts && text.charCodeAt(to) === dot) {
            to = base64urlEnd(text, to + 1)
            partCount++
          }
          const isToken = claimsEnd > headerEnd && (partCount > 2 || text.startsWith('eyJ', headerEnd + 1))
          // A text that was cut inside the first parts may contain the start of a token.
          if (isToken || (isCut && to === text.length && headerEnd > at + minHeaderLength)) addMatch(at, to)
          // If no token begins at `at`, none begins inside the same part either.
          at = text.indexOf('eyJ', Math.max(isToken ? to : headerEnd, at + 1))
        }
      },
    },
  ],
}

const dot = 46
/** The number of parts of an encrypted token; a signed one has three. */
const maxParts = 5
/** The length of `{"a":1}` in base64url. */
const minHeaderLength = 10

const base64url = /[\w-]*/y

/** Returns the position after the base64url text that begins at `from`. */
function base64urlEnd(text: string, from: number): number {
  base64url.lastIndex = from
  base64url.test(text)
  return base64url.lastIndex
}
