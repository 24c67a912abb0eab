import { shortText, type PatternPreset } from './text-pattern.ts'

/**
 * Email addresses in common use (RFC 5321 section 4.1.2, and RFC 6531 for letters of all alphabets), also with `%40` instead of `@`, as in
 * URLs. A domain contains a dot and ends with letters, or is an IP address in brackets.
 */
export const email: PatternPreset = {
  least: 6,
  // RFC 5321 section 4.5.3.1: up to 64 units in the name and 255 in the domain.
  longest: 322,
  finders: [
    {
      anchor: { at: '@%', where: '(?<=@|%)', least: shortText },
      find({ text, end }, take) {
        sign.lastIndex = 0
        for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
          const at = found.index
          const from = nameStart(text, at)
          if (from >= end) return
          domain.lastIndex = at + found[0].length
          if (from < at && domain.test(text) && !isFile(text, at, domain.lastIndex) && !isPassword(text, at))
            take(from, domain.lastIndex)
        }
      },
    },
  ],
}

const sign = /@|%40/g
const longestName = 64
const nameUnit = /[\p{L}\p{N}._%+'~-]/u
const domain =
  /(?:(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:\p{L}{2,63}|xn--[a-z\d-]{1,59})|\[[\da-fA-F:.]{3,45}\])/uy

/** Returns the position where the name before the sign begins; the position of the sign if there is no name. */
function nameStart(text: string, at: number): number {
  if (text.charCodeAt(at - 1) === quote) return quotedStart(text, at)
  const least = Math.max(0, at - longestName)
  let from = at
  // An encoded sign is not part of a name, although its percent sign could be.
  while (from > least && isNameUnit(text, from - 1) && !text.startsWith('%40', from - 3)) from--
  if (text[from - 1] === '\\' && /[nrtbf]/.test(text.charAt(from))) from++
  while (from < at && (text[from] === "'" || text[from] === '.')) from++
  return from
}

const quote = 34

function quotedStart(text: string, at: number): number {
  const from = text.lastIndexOf('"', at - 2)
  return from >= 0 && at - from <= longestName ? from : at
}

function isNameUnit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code < 0xd800 || code > 0xdfff ? nameUnit.test(text[index]!) : true
}

/** Returns whether the text is the name of an image file for high-resolution screens, such as `icon@2x.png`. */
function isFile(text: string, at: number, to: number): boolean {
  return /^@[1-9]x\.[a-z]+$/.test(text.slice(at, to))
}

/** Returns whether the sign ends the user information of a URL (RFC 3986 section 3.2.1), so that a host follows it. */
function isPassword(text: string, at: number): boolean {
  return userinfo.test(text.slice(Math.max(0, at - longestUserinfo), at))
}

const longestUserinfo = 256
const userinfo = /:\/\/[^\s/@?#:]*:[^\s/@?#]*$/
