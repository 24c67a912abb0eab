import { tokenText, type PatternFinder } from './text-pattern.ts'

/**
 * Tokens that say by their beginning who issued them, in the forms that the issuers publish so that scanners find them. What is
 * longer than the form says is a token all the same: issuers make them longer over time.
 */
const forms: readonly (readonly [beginning: string, rest: string])[] = [
  ['AKIA', '[A-Z2-7]{16}'], // AWS access key ids
  ['ASIA', '[A-Z2-7]{16}'],
  ['gh[opusr]_', '[A-Za-z0-9]{36,255}'], // GitHub
  ['github_pat_', String.raw`\w{22,255}`],
  ['glpat-', String.raw`[\w.-]{20,255}`], // GitLab
  ['xox[abeoprs]-', '[A-Za-z0-9-]{10,255}'], // Slack
  ['xapp-', '[A-Za-z0-9-]{16,255}'],
  ['AIza', String.raw`[\w-]{35}`], // Google
  ['GOCSPX-', String.raw`[\w-]{28}`],
  ['ya29[.]', String.raw`[\w-]{20,2048}`],
  ['[rs]k_(?:live|test)_', '[A-Za-z0-9]{16,255}'], // Stripe
  ['whsec_', '[A-Za-z0-9+/=]{24,255}'],
  ['sk-', String.raw`[\w-]{20,255}`], // OpenAI, Anthropic
  ['npm_', '[A-Za-z0-9]{36}'],
  ['pypi-', String.raw`[\w-]{50,255}`],
  ['dop_v1_', '[a-f0-9]{64}'], // DigitalOcean
  ['hvs[.]', String.raw`[\w-]{24,255}`], // HashiCorp Vault
  [String.raw`SG\.`, String.raw`[\w-]{16,32}\.[\w-]{32,64}`], // SendGrid
]

const token = new RegExp(
  `(?:(?<=\\\\[nrtbf])|(?<![A-Za-z0-9]))(?:${forms.map(([beginning, rest]) => beginning + rest).join('|')})`,
  'g',
)
/** What goes on behind the form. */
const tail = /[\w-]*/y
/** RFC 7468 section 2; of OpenPGP, RFC 9580 section 6.2, it ends in `BLOCK`. */
const beginKey = '-----BEGIN '
const privateKey = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const endKey = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

export const issuedTokens: PatternFinder = {
  anchor: {
    at: '_AxXkgyvG',
    where: String.raw`(?<=(?:gh[opusr]|github_pat|[rs]k|npm|dop_v1|whsec)_|A(?=[KS]IA|Iza)|x(?=ox[abeoprs]-|app-)|y(?=a29\.)|GOCSPX|sk(?=-)|g(?=lpat-)|py(?=pi-)|hv(?=s\.)|SG(?=\.))`,
    least: tokenText,
  },
  find({ text, end }, take) {
    token.lastIndex = 0
    for (let found = token.exec(text); found !== null && found.index < end; found = token.exec(text)) {
      tail.lastIndex = token.lastIndex
      tail.test(text)
      take(found.index, tail.lastIndex)
      token.lastIndex = tail.lastIndex
    }
  },
}

export const privateKeys: PatternFinder = {
  anchor: { at: 'B', where: '(?<=-----B)', least: tokenText },
  find({ text, end }, take) {
    for (let at = text.indexOf(beginKey); at >= 0 && at < end; at = text.indexOf(beginKey, at + 1)) {
      privateKey.lastIndex = at
      if (!privateKey.test(text)) continue
      endKey.lastIndex = privateKey.lastIndex
      // Without an end, all that comes may be key.
      const to = endKey.test(text) ? endKey.lastIndex : text.length
      take(at, to)
      at = to - 1
    }
  },
}
