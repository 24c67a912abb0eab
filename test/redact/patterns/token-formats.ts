/**
 * Token formats of vendors, from their documentation and from secret scanners (gitleaks, July 2026): a name, then the
 * fixed parts and `<alphabet count>` of the token. Tokens are generated at run time, so that scanners ignore this file.
 */
const table = `
  1password-secret-key A3-<A-Z0-9 6>-<A-Z0-9 11>-<A-Z0-9 5>-<A-Z0-9 5>-<A-Z0-9 5>
  1password-service-account-token ops_eyJ<a-zA-Z0-9+/ 250>
  adobe-client-secret p8e-<a-z0-9 32>
  age-secret-key AGE-SECRET-KEY-1<QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L 58>
  airtable-personnal-access-token pat<A-Za-z0-9 14>.<a-f0-9 64>
  alibaba-access-key-id LTAI<a-z0-9 20>
  anthropic-admin-api-key sk-ant-admin01-<a-zA-Z0-9_- 93>AA
  anthropic-api-key sk-ant-api03-<a-zA-Z0-9_- 93>AA
  artifactory-api-key AKCp<A-Za-z0-9 69>
  artifactory-reference-token cmVmd<A-Za-z0-9 59>
  authress-service-client-access-key sc_<a-z0-9 5>.<a-z0-9 4>.acc<_- 1><a-z0-9- 10>.<a-z0-9+/_=- 30>
  aws-access-token A3T<A-Z0-9 1><A-Z2-7 16>
  aws-amazon-bedrock-api-key-long-lived ABSK<A-Za-z0-9+/ 109>
  azure-ad-client-secret <a-zA-Z0-9_~. 3><0-9 1>Q~<a-zA-Z0-9_~.- 31>
  clickhouse-cloud-api-secret-key 4b1d<A-Za-z0-9 38>
  clojars-api-token CLOJARS_<a-z0-9 60>
  cloudflare-origin-ca-key v1.0-<a-f0-9 24>-<a-f0-9 146>
  databricks-api-token dapi<a-f0-9 32>
  digitalocean-access-token doo_v1_<a-f0-9 64>
  digitalocean-pat dop_v1_<a-f0-9 64>
  digitalocean-refresh-token dor_v1_<a-f0-9 64>
  doppler-api-token dp.pt.<a-z0-9 43>
  duffel-api-token duffel_test_<a-z0-9_=- 43>
  dynatrace-api-token dt0c01.<a-z0-9 24>.<a-z0-9 64>
  easypost-api-token EZAK<a-z0-9 54>
  easypost-test-api-token EZTK<a-z0-9 54>
  facebook-access-token <0-9 15>|<0-9a-z_- 27>
  facebook-page-access-token EAA<MC 1><a-z0-9 100>
  flutterwave-encryption-key FLWSECK_TEST-<a-h0-9 12>
  flutterwave-public-key FLWPUBK_TEST-<a-h0-9 32>-X
  flutterwave-secret-key FLWSECK_TEST-<a-h0-9 32>-X
  flyio-access-token fo1_<A-Za-z0-9_- 43>
  frameio-api-token fio-u-<a-z0-9_=- 64>
  gcp-api-key AIza<A-Za-z0-9_- 35>
  github-app-token ghu_<0-9a-zA-Z 36>
  github-fine-grained-pat github_pat_<A-Za-z0-9_ 82>
  github-oauth gho_<0-9a-zA-Z 36>
  github-pat ghp_<0-9a-zA-Z 36>
  github-refresh-token ghr_<0-9a-zA-Z 36>
  gitlab-cicd-job-token glcbt-<0-9a-zA-Z 1>_<0-9a-zA-Z_- 20>
  gitlab-deploy-token gldt-<0-9a-zA-Z_- 20>
  gitlab-feature-flag-client-token glffct-<0-9a-zA-Z_- 20>
  gitlab-feed-token glft-<0-9a-zA-Z_- 20>
  gitlab-incoming-mail-token glimt-<0-9a-zA-Z_- 25>
  gitlab-kubernetes-agent-token glagent-<0-9a-zA-Z_- 50>
  gitlab-oauth-app-secret gloas-<0-9a-zA-Z_- 64>
  gitlab-pat glpat-<A-Za-z0-9_- 20>
  gitlab-pat-routable glpat-<0-9a-zA-Z_- 27>.<0-9a-z 9>
  gitlab-ptt glptt-<0-9a-f 40>
  gitlab-rrt GR1348941<A-Za-z0-9_- 20>
  gitlab-runner-authentication-token glrt-<0-9a-zA-Z_- 20>
  gitlab-runner-authentication-token-routable glrt-t<0-9 1>_<0-9a-zA-Z_- 27>.<0-9a-z 9>
  gitlab-scim-token glsoat-<0-9a-zA-Z_- 20>
  gitlab-session-cookie _gitlab_session=<0-9a-z 32>
  grafana-api-key eyJrIjoi<A-Za-z0-9 70>
  grafana-cloud-api-token glc_<A-Za-z0-9+/ 32>
  grafana-service-account-token glsa_<A-Za-z0-9 32>_<A-Fa-f0-9 8>
  harness-api-key pat.<a-zA-Z0-9_- 22>.<a-zA-Z0-9 24>.<a-zA-Z0-9 20>
  hashicorp-tf-api-token <a-z0-9 14>.atlasv1.<a-z0-9_=- 60>
  heroku-api-key-v2 HRKU-AA<0-9a-zA-Z_- 58>
  huggingface-access-token hf_<a-z 34>
  huggingface-organization-api-token api_org_<a-z 34>
  infracost-api-token ico-<a-zA-Z0-9 32>
  intra42-client-secret s-s4t2ud-<abcdef0123456789 64>
  linear-api-key lin_api_<a-z0-9 40>
  maxmind-license-key <A-Za-z0-9 6>_<A-Za-z0-9 29>_mmk
  microsoft-teams-webhook https://<a-z0-9 1>.webhook.office.com/webhookb2/<a-z0-9 8>-<a-z0-9 4>-<a-z0-9 4>-<a-z0-9 4>-<a-z0-9 12>@<a-z0-9 8>-<a-z0-9 4>-<a-z0-9 4>-<a-z0-9 4>-<a-z0-9 12>/IncomingWebhook/<a-z0-9 32>/<a-z0-9 8>-<a-z0-9 4>-<a-z0-9 4>-<a-z0-9 4>-<a-z0-9 12>
  notion-api-token ntn_<0-9 11><A-Za-z0-9 35>
  npm-access-token npm_<a-z0-9 36>
  octopus-deploy-api-key API-<A-Z0-9 26>
  openai-api-key sk-proj-<A-Za-z0-9_- 74>T3BlbkFJ<A-Za-z0-9_- 74>
  perplexity-api-key pplx-<a-zA-Z0-9 48>
  postman-api-token PMAK-<a-f0-9 24>-<a-f0-9 34>
  prefect-api-token pnu_<a-zA-Z0-9 36>
  pulumi-api-token pul-<a-f0-9 40>
  pypi-upload-token pypi-AgEIcHlwaS5vcmc<A-Za-z0-9_- 50>
  readme-api-token rdme_<a-z0-9 70>
  rubygems-api-token rubygems_<a-f0-9 48>
  scalingo-api-token tk-us-<A-Za-z0-9_- 48>
  sendinblue-api-token xkeysib-<a-f0-9 64>-<a-z0-9 16>
  sentry-user-token sntryu_<a-f0-9 64>
  settlemint-application-access-token sm_aat_<a-zA-Z0-9 16>
  settlemint-personal-access-token sm_pat_<a-zA-Z0-9 16>
  settlemint-service-access-token sm_sat_<a-zA-Z0-9 16>
  shippo-api-token shippo_live_<a-fA-F0-9 40>
  shopify-access-token shpat_<a-fA-F0-9 32>
  shopify-custom-access-token shpca_<a-fA-F0-9 32>
  shopify-private-app-access-token shppa_<a-fA-F0-9 32>
  shopify-shared-secret shpss_<a-fA-F0-9 32>
  slack-app-token xapp-<0-9 1>-<A-Z0-9 1>-<0-9 1>-<a-z0-9 1>
  slack-bot-token xoxb-<0-9 10>-<0-9 10>
  slack-config-access-token xoxe.xox<bp 1>-<0-9 1>-<A-Z0-9 163>
  slack-config-refresh-token xoxe-<0-9 1>-<A-Z0-9 146>
  slack-legacy-bot-token xoxb-<0-9 8>-<a-zA-Z0-9 18>
  slack-legacy-token xox<os 1>-<0-9 1>-<0-9 1>-<0-9 1>-<a-fA-F0-9 1>
  slack-legacy-workspace-token xox<ar 1>-<0-9a-zA-Z 8>
  slack-user-token xox<pe 1>-<0-9 10>-<0-9 10>-<0-9 10>-<a-zA-Z0-9- 28>
  slack-webhook-url hooks.slack.com/services/<A-Za-z0-9+/ 43>
  sourcegraph-access-token sgp_<a-fA-F0-9 16>_<a-fA-F0-9 40>
  square-access-token EAAA<A-Za-z0-9_- 22>
  stripe-access-token sk_test_<a-zA-Z0-9 10>
  twilio-api-key SK<0-9a-fA-F 32>
  vault-batch-token hvb.<A-Za-z0-9_- 138>
  vault-service-token hvs.<A-Za-z0-9_- 90>
`

/** A part of a token: a fixed text, or a number of characters of an alphabet. */
type Piece = string | { readonly alphabet: string; readonly count: number }

/** The format of one vendor's token. */
export interface TokenFormat {
  readonly name: string
  readonly pieces: readonly Piece[]
}

export const tokenFormats: readonly TokenFormat[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [name, ...rest] = line.trim().split(' ')
    const pieces = rest
      .join(' ')
      .split(/(<[^>]+>)/)
      .filter((piece) => piece !== '')
      .map((piece): Piece => {
        const match = /^<(.+) (\d+)>$/.exec(piece)
        return match === null ? piece : { alphabet: match[1]!, count: Number(match[2]) }
      })
    return { name: name!, pieces }
  })

/** Creates a token of a format. The same seed returns the same token. */
export function tokenOf({ pieces }: TokenFormat, seed: number): string {
  let state = seed
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      const matches = new RegExp(`[${piece.alphabet}]`)
      const all = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter((text) =>
        matches.test(text),
      )
      const words = all.filter((text) => /[A-Za-z0-9]/.test(text))
      const from = words.length > 1 ? words : all
      return Array.from({ length: piece.count }, () => from[random(from.length)]!).join('')
    })
    .join('')
}

/** Returns the regular expression that a user would write for a format. */
export function expressionOf({ pieces }: TokenFormat): RegExp {
  const source = pieces.map((piece) =>
    typeof piece === 'string'
      ? piece.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
      : `[${piece.alphabet}]{${piece.count}}`,
  )
  return new RegExp(`(?<!\\w)${source.join('')}(?!\\w)`)
}
