import { shortText, type PatternPreset } from './text-pattern.ts'

/**
 * JSON Web Tokens, signed or encrypted (RFC 7515 section 7.1, RFC 7516 section 7.1): base64url parts with dots between, the
 * first of them a JSON object, which always begins with `eyJ`. One that lost its signature still tells its claims, and counts
 * where they are JSON too.
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
          while (parts < mostParts && text.charCodeAt(to) === dot) {
            to = run(text, to + 1)
            parts++
          }
          const isToken = claims > header && (parts > 2 || text.startsWith('eyJ', header + 1))
          // What was cut there may be one.
          if (isToken || (isCut && to === text.length && header > at + leastHeader)) take(at, to)
          // What stands inside a part that is no token begins none.
          at = text.indexOf('eyJ', Math.max(isToken ? to : header, at + 1))
        }
      },
    },
  ],
}

const dot = 46
/** Those of an encrypted one. */
const mostParts = 5
/** `{"a":1}` in base64url. */
const leastHeader = 10

const base64url = /[\w-]*/y

/** Where the base64url that begins at `from` ends. */
function run(text: string, from: number): number {
  base64url.lastIndex = from
  base64url.test(text)
  return base64url.lastIndex
}
