import { minTextLengthForToken, type PatternFinder, type PatternPreset } from './text-pattern.ts'

/** The tokens of an issuer, in the forms that it publishes for secret scanners. */
interface TokenForms {
  /** The characters at which the forms are recognized, in the syntax of a character class. */
  readonly characters: string
  /** An expression that matches after such a character; lookbehinds match the character and the text before it. */
  readonly context: string
  /** The sources of expressions that match a token. */
  readonly forms: readonly string[]
}

const aws: TokenForms = {
  characters: 'A',
  context: '(?<=A)(?:[KSB]IA|CCA|3T)',
  forms: ['A(?:[KSB]IA|CCA|3T[A-Z0-9])[A-Z2-7]{16}'],
}
const github: TokenForms = {
  characters: '_',
  context: '(?<=(?:gh[opusr]|github_pat)_)',
  forms: ['gh[opusr]_[A-Za-z0-9]{36,}', String.raw`github_pat_\w{22,}`],
}
const slack: TokenForms = {
  characters: 'xk',
  context: String.raw`(?<=x)(?:ox[abceoprs](?:\.xox[bp])?-|app-)|(?<=hooks\.slack)\.com/`,
  forms: [
    String.raw`xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}`,
    'xapp-[A-Za-z0-9-]{16,}',
    String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,}`,
  ],
}
const stripe: TokenForms = {
  characters: '_',
  context: '(?<=(?:[rs]k|whsec)_)',
  forms: ['[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}', 'whsec_[A-Za-z0-9+/=]{24,}'],
}
const google: TokenForms = {
  characters: 'AGy',
  context: String.raw`(?<=A)Iza|(?<=G)OCSPX-|(?<=y)a29\.`,
  forms: [String.raw`AIza[\w-]{35}`, String.raw`GOCSPX-[\w-]{28}`, String.raw`ya29[.][\w-]{20,}`],
}
/** The tokens of all other issuers. */
const otherIssuers: TokenForms = {
  characters: '_kgvGxAyqK~',
  context: String.raw`(?<=(?:npm|do[opr]_v1|hf|gl(?:c|sa)|lin_api|sntry[su]|shp(?:at|ca|pa|ss)|rubygems|dckr_pat|gsk|figd|pscale_(?:tkn|pw|oauth)|shippo_(?:live|test)|sm_[aps]at|rdme|pnu|fo1|duffel_(?:test|live)|sgp|CLOJARS|ntn|FLWSECK|ops)_)|(?<=sk)-|(?<=g)l[a-z]{2,6}-|(?<=hv)[sb][.]|(?<=SG)\.|(?<=x)keysib-|(?<=x)ai-|(?<=A)TATT3|(?<=LTA)I|(?<=py)pi-|(?<=A)(?:3-|GE-SECRET|KCp|BSK)|(?<=PMA)K-|(?<=pplx)-|(?<=nv)api-|(?<=v)1\.0-|(?<=tk)-us-|(?<=sq)0|(?<=SK)[\da-fA-F]{4}|(?<=HRK)U-|(?<=EZ[AT]K)|(?<=sha256~|\dQ~)`,
  forms: [
    'npm_[A-Za-z0-9]{36}',
    'do[opr]_v1_[a-fA-F0-9]{24,}', // DigitalOcean
    'hf_[A-Za-z]{34}', // Hugging Face
    String.raw`gl(?:c_[A-Za-z0-9+/]{32,}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})`, // Grafana
    'lin_api_[A-Za-z0-9]{40}', // Linear
    String.raw`sntry[su]_[A-Za-z0-9+/=_-]{24,}`, // Sentry
    'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}', // Shopify
    'rubygems_[a-f0-9]{24,}',
    String.raw`dckr_pat_[\w-]{24,}`, // Docker
    'gsk_[A-Za-z0-9]{24,}', // Groq
    String.raw`figd_[\w-]{38,}`, // Figma
    String.raw`pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}`, // PlanetScale
    'shippo_(?:live|test)_[A-Fa-f0-9]{40}',
    String.raw`sk-[\w-]{20,}`, // OpenAI, Anthropic
    String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\w.=-]{20,}`, // GitLab
    String.raw`hv[sb][.][\w-]{24,}`, // HashiCorp Vault
    String.raw`SG\.[\w.=-]{24,}`, // SendGrid
    'xkeysib-[a-f0-9]{24,}-[A-Za-z0-9]{16}', // Brevo
    'xai-[A-Za-z0-9]{24,}',
    String.raw`ATATT3[\w=-]{24,}`, // Atlassian
    'LTAI[A-Za-z0-9]{12,}', // Alibaba Cloud
    String.raw`pypi-[\w-]{24,}`,
    'A3-[A-Z0-9]{6}-[A-Z0-9-]{29,}', // 1Password
    'ops_eyJ[A-Za-z0-9+/]{24,}',
    'AGE-SECRET-KEY-1[A-Z0-9]{24,}', // age
    'AKCp[A-Za-z0-9]{24,}', // Artifactory
    'ABSK[A-Za-z0-9+/]{24,}', // Amazon Bedrock
    String.raw`[\w.~]{3}\dQ~[\w.~-]{31,}`, // Microsoft Entra ID
    'CLOJARS_[A-Za-z0-9]{24,}',
    String.raw`v1\.0-[a-f0-9]{24}-[a-f0-9]{24,}`, // Cloudflare
    String.raw`duffel_(?:test|live)_[\w=-]{24,}`,
    'EZ[AT]K[A-Za-z0-9]{24,}', // EasyPost
    'FLWSECK_TEST-[a-hA-H0-9]{12,}', // Flutterwave
    String.raw`fo1_[\w-]{24,}`, // Fly.io
    String.raw`HRKU-AA[\w-]{24,}`, // Heroku
    'ntn_[A-Za-z0-9]{24,}', // Notion
    'nvapi-[A-Za-z0-9_-]{24,}', // NVIDIA
    'sha256~[A-Za-z0-9_-]{24,}', // OpenShift
    'pplx-[A-Za-z0-9]{24,}', // Perplexity
    'PMAK-[a-fA-F0-9]{24}-[a-fA-F0-9]{34}', // Postman
    'pnu_[A-Za-z0-9]{36}', // Prefect
    'rdme_[a-z0-9]{24,}', // ReadMe
    String.raw`tk-us-[\w-]{24,}`, // Scalingo
    'sm_[aps]at_[A-Za-z0-9]{16,}', // SettleMint
    'sgp_(?:[A-Fa-f0-9]{16}_|local_)?[A-Fa-f0-9]{40}', // Sourcegraph
    String.raw`sq0[a-z]{3}-[\w-]{22,}`, // Square
    'SK[0-9a-fA-F]{32}', // Twilio
  ],
}

/** The characters after the match of a form. They are redacted too, because issuers lengthen tokens over time. */
const tokenTail = /[\w-]*/y

/** Creates a finder of the tokens of several issuers. */
function tokenFinder(...issuers: readonly TokenForms[]): PatternFinder {
  const forms = issuers.flatMap((issuer) => issuer.forms)
  const expressions = Array.from({ length: Math.ceil(forms.length / maxFormsPerExpression) }, (_, index) =>
    tokenExpression(forms.slice(index * maxFormsPerExpression, (index + 1) * maxFormsPerExpression)),
  )
  return {
    anchor: {
      characters: issuers.map(({ characters }) => characters).join(''),
      context: issuers.map(({ context }) => context).join('|'),
      minTextLength: minTextLengthForToken,
    },
    find({ text, startLimit }, addMatch) {
      for (const token of expressions) {
        token.lastIndex = 0
        for (let match = token.exec(text); match !== null && match.index < startLimit; match = token.exec(text)) {
          tokenTail.lastIndex = token.lastIndex
          tokenTail.test(text)
          addMatch(match.index, tokenTail.lastIndex)
          token.lastIndex = tokenTail.lastIndex
        }
      }
    },
  }
}

/**
 * The number of forms in one expression. With more, the expression has too many states for `boundSteps`, with which a test checks that the
 * presets take linear time.
 */
const maxFormsPerExpression = 32

function tokenExpression(forms: readonly string[]): RegExp {
  return new RegExp(String.raw`(?:(?<=\\[nrtbf])|(?<![A-Za-z0-9]))(?:${forms.join('|')})`, 'g')
}

/** Finds vendor-prefixed tokens of all known issuers. */
export const issuedTokens: PatternFinder = tokenFinder(aws, github, slack, stripe, google, otherIssuers)

/** Access key ids of AWS. Secret access keys have no distinctive form; `credentials` finds them after their names. */
export const awsKey: PatternPreset = presetOf(aws)
/** Tokens of GitHub: personal (classic and fine-grained), OAuth, user-to-server and server-to-server tokens of apps, and refresh tokens. */
export const githubToken: PatternPreset = presetOf(github)
/** Tokens of Slack (`xoxb-`, `xoxp-`, `xapp-` and others) and its webhook URLs. */
export const slackToken: PatternPreset = presetOf(slack)
/** Secret and restricted keys of Stripe, and its webhook secrets. Publishable keys (`pk_`) are public and not included. */
export const stripeKey: PatternPreset = presetOf(stripe)
/** API keys of Google (`AIza`), OAuth client secrets (`GOCSPX-`) and access tokens (`ya29.`). */
export const googleApiKey: PatternPreset = presetOf(google)

function presetOf(issuer: TokenForms): PatternPreset {
  return { minTextLength: minTextLengthForToken, lookaheadLength: 4_096, finders: [tokenFinder(issuer)] }
}
