import { shortText, type PatternPreset } from './text-pattern.ts'

/**
 * JSON Web Tokens, signed or encrypted (RFC 7515 section 7.1, RFC 7516 section 7.1): base64url parts separated by dots. The first part is a
 * JSON object, which always begins with `eyJ`. A token without its signature still reveals its claims, so it matches if the second part is
 * a JSON object too.
 */
export const jwt: PatternPreset = {
  least: 12,
  longest: 16_384,
  finders: [
    {
      anchor: { at: 'J', where: '(?<=eyJ)', least: shortText },
      find({ text, end, isCut }, take) {
        for (let at = text.indexOf('eyJ'); at >= 0 && at < end;) {
          const header = run(text, at)
          const claims = text.charCodeAt(header) === dot ? run(text, header + 1) : header
          let to = claims
          let parts = 2
          while (parts < maxParts && text.charCodeAt(to) === dot) {
            to = run(text, to + 1)
            parts++
          }
          const isToken = claims > header && (parts > 2 || text.startsWith('eyJ', header + 1))
          // The text was cut at the end of the header, so it may be a token.
          if (isToken || (isCut && to === text.length && header > at + leastHeader)) take(at, to)
          // No token begins inside a part that is not a token.
          at = text.indexOf('eyJ', Math.max(isToken ? to : header, at + 1))
        }
      },
    },
  ],
}

const dot = 46
/** The number of parts of an encrypted token. */
const maxParts = 5
/** The length of `{"a":1}` in base64url. */
const leastHeader = 10

const base64url = /[\w-]*/y

/** Returns the position after the base64url text that begins at `from`. */
function run(text: string, from: number): number {
  base64url.lastIndex = from
  base64url.test(text)
  return base64url.lastIndex
}
