import { blank } from './blank.ts'
import { urlPasswords } from './connection-string.ts'
import { issuedTokens } from './issued-tokens.ts'
import { namedSecrets } from './named-secrets.ts'
import { privateKeys } from './private-key.ts'
import { shortText, type PatternPreset, type SearchedText } from './text-pattern.ts'
import { wordStart } from './word-start.ts'

/**
 * Credentials in text: after `Bearer` (RFC 6750) and `Basic` (RFC 7617), after the names of secrets in headers, URLs and forms, the
 * password of a URL (RFC 3986 section 3.2.1), vendor-prefixed tokens and private keys. The names stay.
 */
export const credentials: PatternPreset = {
  least: 8,
  longest: 16_384,
  finders: [
    {
      anchor: { at: 'Bb', where: String.raw`(?<=[Bb])(?=(?:earer|EARER|asic|ASIC)[${blank}])`, least: shortText },
      find: takeSchemes,
    },
    namedSecrets,
    urlPasswords,
    issuedTokens,
    privateKeys,
  ],
}

type Take = (from: number, to: number) => void

const scheme = new RegExp(String.raw`${wordStart}(?:(Bearer)|Basic)[${blank}]{1,8}([\w.~+/-]+={0,2})`, 'gi')

function takeSchemes({ text, end }: SearchedText, take: Take): void {
  scheme.lastIndex = 0
  for (let found = scheme.exec(text); found !== null && found.index < end; found = scheme.exec(text)) {
    const [whole, isBearer, token = ''] = found
    const to = found.index + whole.length
    if (isBearer === undefined ? isBasic(token) : !isWord(token)) take(to - token.length, to)
  }
}

/**
 * Returns whether a token is an ordinary word, as in `bearer of bad news`: fewer than 20 letters and nothing else, except for dots at the
 * end.
 */
function isWord(token: string): boolean {
  return /^[a-z]+[.]*$/i.test(token) && token.length < 20
}

/** Returns whether a token decodes to text with a colon (RFC 7617 section 2), unlike in `basic training`. */
function isBasic(token: string): boolean {
  try {
    return atob(token).includes(':')
  } catch {
    return false
  }
}
