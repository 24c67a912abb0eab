import { blankCharacters } from './blank.ts'
import { usualMinTextLength, type PatternFinder, type PatternPreset } from './text-pattern.ts'

/** Finds the passwords of URLs such as `https://user:password@host`. The last `@` ends the password, as in the WHATWG URL standard. */
export const urlPasswords: PatternFinder = {
  anchor: { characters: '@', context: '(?<=@)', minTextLength: usualMinTextLength },
  find({ text, startLimit, isCut }, addMatch) {
    userinfo.lastIndex = 0
    for (let match = userinfo.exec(text); match !== null && match.index < startLimit; match = userinfo.exec(text)) {
      const to = match.index + match[0].length - 1
      addMatch(to - match[1]!.length, to)
    }
    // A password that continues after the end of a text that was cut.
    const cutMatch = isCut ? cutUserinfo.exec(text) : null
    if (cutMatch !== null) addMatch(text.length - cutMatch[1]!.length, text.length)
  },
}

const userinfo = /:\/\/[^\s:@/?#]*:([^\s@/?#]+(?:@[^\s@/?#"'<>,;]+)*)@/g
const cutUserinfo = /:\/\/[^\s:@/?#]*:([^\s@/?#"'<>,;]+)$/

/** The names of secrets in connection strings of databases, queues and storage. */
const secretNames =
  'password|pwd|accountkey|sharedaccesskey|sharedaccesssignature|sharedsecret|secret ?key|access ?key|auth ?token'
/** A pair of the name and value of a secret, such as `Password=x;`, with quotes or braces (ODBC), or `?password=x&` in a URL. */
const secretPair = new RegExp(
  String.raw`=(?<=(?<![A-Za-z])(?:${secretNames})[${blankCharacters}]*=)[${blankCharacters}]*("[^"]{0,200}"|'[^']{0,200}'|\{[^}]{0,200}\}|(?:[^;"'\s&]|&(?![\w.-]{1,64}=))+)`,
  'gi',
)

/**
 * Secrets in connection strings: the password of a URL (`postgres://app:…@db/shop`), and passwords and keys in lists of pairs
 * (`Server=db;User Id=app;Password=…`, `AccountKey=…`), as used by ADO.NET, ODBC, JDBC and Azure. Other text stays unchanged.
 */
export const connectionString: PatternPreset = {
  minTextLength: usualMinTextLength,
  lookaheadLength: 16_384,
  finders: [
    urlPasswords,
    {
      anchor: {
        characters: '=',
        // Before the `=`, the last letter of each of the `secretNames`.
        context: String.raw`(?<=(?:[Dd]|[Yy]|[Ee]|[Tt]|[Nn])[${blankCharacters}]*=)[${blankCharacters}]*[^\s;]`,
        minTextLength: usualMinTextLength,
      },
      find({ text, startLimit }, addMatch) {
        secretPair.lastIndex = 0
        for (
          let match = secretPair.exec(text);
          match !== null && match.index < startLimit;
          match = secretPair.exec(text)
        )
          addMatch(secretPair.lastIndex - match[1]!.length, secretPair.lastIndex)
      },
    },
  ],
}
