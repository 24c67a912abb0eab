import { usualMinTextLength, type PatternPreset } from './text-pattern.ts'

/**
 * Email addresses in common use (RFC 5321 section 4.1.2, and RFC 6531 for letters of all alphabets), also with `%40` instead of `@`, as in
 * URLs. A domain contains a dot and ends with letters, or is an IP address in brackets.
 */
export const email: PatternPreset = {
  minTextLength: 6,
  // RFC 5321 section 4.5.3.1: up to 64 units in the name and 255 in the domain. The sign has up to 3.
  lookaheadLength: 322,
  finders: [
    {
      anchor: { characters: '@%', context: '(?<=@|%)', minTextLength: usualMinTextLength },
      find({ text, startLimit }, addMatch) {
        atSign.lastIndex = 0
        for (let match = atSign.exec(text); match !== null; match = atSign.exec(text)) {
          const at = match.index
          const from = nameStart(text, at)
          if (from >= startLimit) return
          domainPattern.lastIndex = at + match[0].length
          if (
            from < at &&
            domainPattern.test(text) &&
            !isImageFileName(text, at, domainPattern.lastIndex) &&
            !endsUserinfo(text, at)
          )
            addMatch(from, domainPattern.lastIndex)
        }
      },
    },
  ],
}

const atSign = /@|%40/g
const maxNameLength = 64
const nameUnit = /[\p{L}\p{N}._%+'~-]/u
const domainPattern =
  /(?:(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:\p{L}{2,63}|xn--[a-z\d-]{1,59})|\[[\da-fA-F:.]{3,45}\])/uy

/** Returns the position where the name before the sign at `at` begins; `at` if there is no name. */
function nameStart(text: string, at: number): number {
  if (text.charCodeAt(at - 1) === doubleQuote) return quotedStart(text, at)
  const minFrom = Math.max(0, at - maxNameLength)
  let from = at
  // Stop after `%40`, which is not part of a name, although its characters could be.
  while (from > minFrom && isNameUnit(text, from - 1) && !text.startsWith('%40', from - 3)) from--
  // Skip the letter of a JSON escape, such as `\n`.
  if (text[from - 1] === '\\' && /[nrtbf]/.test(text.charAt(from))) from++
  while (from < at && (text[from] === "'" || text[from] === '.')) from++
  return from
}

const doubleQuote = 34

/** Returns the position of the first quote of a name in quotes; `at` if no quote is found within the maximum length. */
function quotedStart(text: string, at: number): number {
  const from = text.lastIndexOf('"', at - 2)
  return from >= 0 && at - from <= maxNameLength ? from : at
}

/** Returns whether a UTF-16 unit can belong to a name. Surrogates can, because they are parts of letters. */
function isNameUnit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code < 0xd800 || code > 0xdfff ? nameUnit.test(text[index]!) : true
}

/** Returns whether the sign is in the name of an image file for high-resolution screens, such as `icon@2x.png`. */
function isImageFileName(text: string, at: number, to: number): boolean {
  return /^@[1-9]x\.[a-z]+$/.test(text.slice(at, to))
}

/** Returns whether the sign ends the user information of a URL (RFC 3986 section 3.2.1), so that a host follows it. */
function endsUserinfo(text: string, at: number): boolean {
  return userinfoEnd.test(text.slice(Math.max(0, at - maxUserinfoLength), at))
}

const maxUserinfoLength = 256
const userinfoEnd = /:\/\/[^\s/@?#:]*:[^\s/@?#]*$/
