import { blank } from './blank.ts'
import { shortText, type PatternFinder, type PatternPreset } from './text-pattern.ts'

/** Finds the password of `https://user:password@host`. The last `@` ends it, as in the WHATWG URL standard. */
export const urlPasswords: PatternFinder = {
  anchor: { at: '@', where: '(?<=@)', least: shortText },
  find({ text, end, isCut }, take) {
    userinfo.lastIndex = 0
    for (let found = userinfo.exec(text); found !== null && found.index < end; found = userinfo.exec(text)) {
      const to = found.index + found[0].length - 1
      take(to - found[1]!.length, to)
    }
    // A password that continues after the end of the searched text.
    const open = isCut ? cutUserinfo.exec(text) : null
    if (open !== null) take(text.length - open[1]!.length, text.length)
  },
}

const userinfo = /:\/\/[^\s:@/?#]*:([^\s@/?#]+(?:@[^\s@/?#"'<>,;]+)*)@/g
const cutUserinfo = /:\/\/[^\s:@/?#]*:([^\s@/?#"'<>,;]+)$/

/** The names of secrets in connection strings of databases, queues and storage. */
const names =
  'password|pwd|accountkey|sharedaccesskey|sharedaccesssignature|sharedsecret|secret ?key|access ?key|auth ?token'
/** A pair such as `Password=x;`, with quotes or braces (ODBC), or `?password=x&` in a URL. */
const pair = new RegExp(
  String.raw`=(?<=(?<![A-Za-z])(?:${names})[${blank}]*=)[${blank}]*("[^"]{0,200}"|'[^']{0,200}'|\{[^}]{0,200}\}|(?:[^;"'\s&]|&(?![\w.-]{1,64}=))+)`,
  'gi',
)

/**
 * Secrets in connection strings: the password of a URL (`postgres://app:…@db/shop`), and passwords and keys in lists of pairs
 * (`Server=db;User Id=app;Password=…`, `AccountKey=…`), as used by ADO.NET, ODBC, JDBC and Azure. Other text stays unchanged.
 */
export const connectionString: PatternPreset = {
  least: 8,
  longest: 16_384,
  finders: [
    urlPasswords,
    {
      anchor: {
        at: '=',
        where: String.raw`(?<=(?:[Dd]|[Yy]|[Ee]|[Tt]|[Nn])[${blank}]*=)[${blank}]*[^\s;]`,
        least: shortText,
      },
      find({ text, end }, take) {
        pair.lastIndex = 0
        for (let found = pair.exec(text); found !== null && found.index < end; found = pair.exec(text))
          take(pair.lastIndex - found[1]!.length, pair.lastIndex)
      },
    },
  ],
}
