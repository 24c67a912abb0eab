import { tokenText, type PatternFinder, type PatternPreset } from './text-pattern.ts'

/** The tokens of an issuer, in the forms that it publishes so that scanners find them. */
interface Issuer {
  /** The characters at one of which each form is recognized, as in a class of an expression. */
  readonly at: string
  /** What is behind such a character; lookbehinds see it and what is in front of it. */
  readonly where: string
  readonly forms: readonly string[]
}

const aws: Issuer = { at: 'A', where: '(?<=A)(?:[KSB]IA|CCA)', forms: ['A(?:[KSB]IA|CCA)[A-Z2-7]{16}'] }
const github: Issuer = {
  at: '_',
  where: '(?<=(?:gh[opusr]|github_pat)_)',
  forms: ['gh[opusr]_[A-Za-z0-9]{36,}', String.raw`github_pat_\w{22,}`],
}
const slack: Issuer = {
  at: 'xk',
  where: String.raw`(?<=x)(?:ox[abceoprs](?:\.xox[bp])?-|app-)|(?<=hooks\.slack)\.com/`,
  forms: [
    String.raw`xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}`,
    'xapp-[A-Za-z0-9-]{16,}',
    String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,}`,
  ],
}
const stripe: Issuer = {
  at: '_',
  where: '(?<=(?:[rs]k|whsec)_)',
  forms: ['[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16,}', 'whsec_[A-Za-z0-9+/=]{24,}'],
}
const google: Issuer = {
  at: 'AGy',
  where: String.raw`(?<=A)Iza|(?<=G)OCSPX-|(?<=y)a29\.`,
  forms: [String.raw`AIza[\w-]{35}`, String.raw`GOCSPX-[\w-]{28}`, String.raw`ya29[.][\w-]{20,}`],
}
/** Those of all the others. */
const others: Issuer = {
  at: '_kgvGxAy',
  where: String.raw`(?<=(?:npm|do[opr]_v1|hf|gl(?:c|sa)|lin_api|sntry[su]|shp(?:at|ca|pa|ss)|rubygems|dckr_pat|gsk|figd|pscale_(?:tkn|pw|oauth)|shippo_(?:live|test))_)|(?<=sk)-|(?<=g)l[a-z]{2,6}-|(?<=hv)[sb][.]|(?<=SG)\.|(?<=x)keysib-|(?<=x)ai-|(?<=A)TATT3|(?<=LTA)I|(?<=py)pi-`,
  forms: [
    'npm_[A-Za-z0-9]{36}',
    'do[opr]_v1_[a-f0-9]{64}', // DigitalOcean
    'hf_[A-Za-z]{34}', // Hugging Face
    String.raw`gl(?:c_[A-Za-z0-9+/]{32,}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})`, // Grafana
    'lin_api_[A-Za-z0-9]{40}', // Linear
    String.raw`sntry[su]_[A-Za-z0-9+/=_-]{40,}`, // Sentry
    'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}', // Shopify
    'rubygems_[a-f0-9]{48}',
    String.raw`dckr_pat_[\w-]{24,64}`, // Docker
    'gsk_[A-Za-z0-9]{40,64}', // Groq
    String.raw`figd_[\w-]{38,64}`, // Figma
    String.raw`pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}`, // PlanetScale
    'shippo_(?:live|test)_[A-Fa-f0-9]{40}',
    String.raw`sk-[\w-]{20,}`, // OpenAI, Anthropic
    String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\w.=-]{20,}`, // GitLab
    String.raw`hv[sb][.][\w-]{24,}`, // HashiCorp Vault
    String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}`, // SendGrid
    'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}', // Brevo
    'xai-[A-Za-z0-9]{70,90}',
    String.raw`ATATT3[\w=-]{186}`, // Atlassian
    'LTAI[A-Za-z0-9]{12,20}', // Alibaba Cloud
    String.raw`pypi-[\w-]{50,}`,
  ],
}

/** What continues behind the form: issuers make tokens longer over time. */
const tail = /[\w-]*/y

function tokensOf(...issuers: readonly Issuer[]): PatternFinder {
  const forms = issuers.flatMap((issuer) => issuer.forms).join('|')
  const token = new RegExp(String.raw`(?:(?<=\\[nrtbf])|(?<![A-Za-z0-9]))(?:${forms})`, 'g')
  return {
    anchor: {
      at: issuers.map(({ at }) => at).join(''),
      where: issuers.map(({ where }) => where).join('|'),
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
}

/** Tokens with the prefix of who issued them, of all issuers that are known. */
export const issuedTokens: PatternFinder = tokensOf(aws, github, slack, stripe, google, others)

/** Access key ids of AWS. Secret access keys have no form of their own: `credentials` finds them behind their names. */
export const awsKey: PatternPreset = presetOf(aws)
/** Tokens of GitHub: personal (classic and fine-grained), of OAuth, of users and servers of apps, and refresh tokens. */
export const githubToken: PatternPreset = presetOf(github)
/** Tokens of Slack (`xoxb-`, `xoxp-`, `xapp-` and so on) and the URLs of its webhooks. */
export const slackToken: PatternPreset = presetOf(slack)
/** Secret and restricted keys of Stripe, and secrets of its webhooks. Publishable keys (`pk_`) are public. */
export const stripeKey: PatternPreset = presetOf(stripe)
/** API keys of Google (`AIza`), secrets of OAuth clients (`GOCSPX-`) and access tokens (`ya29.`). */
export const googleApiKey: PatternPreset = presetOf(google)

function presetOf(issuer: Issuer): PatternPreset {
  return { least: tokenText, longest: 4_096, finders: [tokensOf(issuer)] }
}
