import { blank } from './blank.ts'
import { urlPasswords } from './connection-string.ts'
import { issuedTokens } from './issued-tokens.ts'
import { namedSecrets } from './named-secrets.ts'
import { privateKeys } from './private-key.ts'
import { shortText, type PatternPreset, type Searched } from './text-pattern.ts'
import { wordStart } from './word-start.ts'

/**
 * Credentials in texts: behind `Bearer` (RFC 6750) and `Basic` (RFC 7617), behind the names of secrets in headers, URLs and
 * forms, the password of a URL (RFC 3986 section 3.2.1), and tokens with the mark of who issued them. The name stays.
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

function takeSchemes({ text, end }: Searched, take: Take): void {
  scheme.lastIndex = 0
  for (let found = scheme.exec(text); found !== null && found.index < end; found = scheme.exec(text)) {
    const [whole, isBearer, token = ''] = found
    const to = found.index + whole.length
    if (isBearer === undefined ? isBasic(token) : !isWord(token)) take(to - token.length, to)
  }
}

/** `bearer of bad news`, `bearer authentication`: letters alone are words, as long as no word is longer. */
function isWord(token: string): boolean {
  return /^[a-z]+[.]*$/i.test(token) && token.length < 20
}

/** What is encoded has a colon in it (RFC 7617 section 2): `basic training` has none. */
function isBasic(token: string): boolean {
  try {
    return atob(token).includes(':')
  } catch {
    return false
  }
}
