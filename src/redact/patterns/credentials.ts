import { blankCharacters } from './blank.ts'
import { urlPasswords } from './connection-string.ts'
import { issuedTokens } from './issued-tokens.ts'
import { namedSecrets } from './named-secrets.ts'
import { privateKeys } from './private-key.ts'
import { usualMinTextLength, type PatternPreset, type SearchedText } from './text-pattern.ts'
import { wordStartSource } from './word-start.ts'

/**
 * Credentials in text: after `Bearer` (RFC 6750) and `Basic` (RFC 7617), after the names of secrets in headers, URLs and forms, the
 * password of a URL (RFC 3986 section 3.2.1), vendor-prefixed tokens and private keys. The names stay.
 */
export const credentials: PatternPreset = {
  minTextLength: usualMinTextLength,
  lookaheadLength: 16_384,
  finders: [
    {
      anchor: {
        characters: 'Bb',
        context: String.raw`(?<=[Bb])(?=(?:earer|EARER|asic|ASIC)[${blankCharacters}])`,
        minTextLength: usualMinTextLength,
      },
      find: findAfterSchemes,
    },
    namedSecrets,
    urlPasswords,
    issuedTokens,
    privateKeys,
  ],
}

type AddMatch = (from: number, to: number) => void

const schemeAndToken = new RegExp(
  String.raw`${wordStartSource}(?:(Bearer)|Basic)[${blankCharacters}]{1,8}([\w.~+/-]+={0,2})`,
  'gi',
)

function findAfterSchemes({ text, startLimit }: SearchedText, addMatch: AddMatch): void {
  schemeAndToken.lastIndex = 0
  for (
    let match = schemeAndToken.exec(text);
    match !== null && match.index < startLimit;
    match = schemeAndToken.exec(text)
  ) {
    const [whole, bearer, token = ''] = match
    const to = match.index + whole.length
    if (bearer === undefined ? isBasic(token) : !isWord(token)) addMatch(to - token.length, to)
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
