import type { PatternPresetName } from '../../../src/rules/patterns/text-patterns.ts'

/** A text, what must go of it, and where both are from. */
export interface Positive {
  readonly text: string
  readonly redacted: string
  readonly source: string
}

/** A text that must stay as it is. */
export interface Negative {
  readonly text: string
  readonly source: string
}

/** Put together here, so that no scanner takes this file for a leak. */
function token(beginning: string, length: number, alphabet = 'aB3dE5gH7jK9mN1pQ2sT4vX6'): string {
  return beginning + alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length)
}

// RFC 7519 section 3.1, and the encrypted one of RFC 7516 appendix A.1.7, shortened inside of its parts.
const signed =
  'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const unsigned = 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODB9.'
const encrypted =
  'eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOawDo13gRp2ojaHV7LFpZcgV7T.48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rp.XFBoMYUZodetZdvTiFvSkQ'
const direct = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rp.XFBoMYUZodetZdvTiFvSkQ'

export const positives: Readonly<Record<PatternPresetName, readonly Positive[]>> = {
  jwt: [
    { text: signed, redacted: '[R]', source: 'RFC 7519 section 3.1' },
    { text: `token ${unsigned} used`, redacted: 'token [R] used', source: 'RFC 7519 section 6.1' },
    { text: `(${encrypted})`, redacted: '([R])', source: 'RFC 7516 appendix A.1.7' },
    {
      text: direct,
      redacted: '[R]',
      source: 'RFC 7516 appendix A.1.7, with the algorithm "dir": its second part is empty',
    },
    { text: signed.slice(0, signed.lastIndexOf('.')), redacted: '[R]', source: 'a token that lost its signature' },
    { text: `a=${signed},b=${unsigned}`, redacted: 'a=[R],b=[R]', source: 'two of them' },
  ],
  card: [
    ...[
      ['4111111111111111', 'Visa'],
      ['4012888888881881', 'Visa'],
      ['4222222222222', 'Visa of 13 digits'],
      ['5555555555554444', 'Mastercard'],
      ['5105105105105100', 'Mastercard'],
      ['2223003122003222', 'Mastercard of the second range'],
      ['378282246310005', 'American Express'],
      ['371449635398431', 'American Express'],
      ['6011111111111117', 'Discover'],
      ['6011000990139424', 'Discover'],
      ['30569309025904', 'Diners Club'],
      ['38520000023237', 'Diners Club'],
      ['3530111333300000', 'JCB'],
      ['3566002020360505', 'JCB'],
      ['6200000000000005', 'UnionPay'],
      ['6759649826438453', 'Maestro'],
    ].map(([text, network]) => ({
      text: text!,
      redacted: '[R]',
      source: `test numbers that PayPal, Stripe and Adyen publish: ${network}`,
    })),
    { text: '4111 1111 1111 1111', redacted: '[R]', source: 'as it is printed on a card' },
    { text: '4111-1111-1111-1111', redacted: '[R]', source: 'as forms ask for it' },
    { text: '3782-822463-10005', redacted: '[R]', source: 'as American Express prints it' },
    { text: '675964 9826438453', redacted: '[R]', source: 'the issuer and the account apart' },
    { text: '411-111-111-111-1111', redacted: '[R]', source: 'in groups of three' },
    { text: 'order 12 4111 1111 1111 1111 2', redacted: 'order 12 [R] 2', source: 'other numbers beside it' },
    { text: 'pan=4111111111111111;exp=12/28', redacted: 'pan=[R];exp=12/28', source: 'a form' },
    { text: 'pan_4111111111111111', redacted: 'pan_[R]', source: 'a name in front' },
    { text: '4111111111111111 5555555555554444', redacted: '[R] [R]', source: 'two of them' },
    { text: 'order A17 4111 1111 1111 1111', redacted: 'order A17 [R]', source: 'a number with a letter in front' },
    { text: '4111 1111 1111 1111 2nd try', redacted: '[R] 2nd try', source: 'an ordinal behind it' },
    { text: 'paid 12.50 4111111111111111', redacted: 'paid 12.50 [R]', source: 'an amount in front' },
    { text: '4111 1111 1111 1111 30ms', redacted: '[R] 30ms', source: 'a duration behind it' },
    { text: '"a\\n4111111111111111\\nb"', redacted: '"a\\n[R]\\nb"', source: 'lines in JSON (RFC 8259 section 7)' },
    { text: 'pan=4111+1111+1111+1111', redacted: 'pan=[R]', source: 'a form (WHATWG URL, urlencoded)' },
    { text: 'pan=4111%201111%201111%201111', redacted: 'pan=[R]', source: 'RFC 3986 section 2.1' },
    { text: 'q=pan%3A4111111111111111', redacted: 'q=pan%3A[R]', source: 'RFC 3986 section 2.1, a sign in front' },
    { text: 'q=pan%204111111111111111', redacted: 'q=pan%20[R]', source: 'RFC 3986 section 2.1, a space in front' },
  ],
  email: [
    { text: 'simple@example.com', redacted: '[R]', source: 'RFC 5321 section 4.1.2' },
    { text: 'very.common@example.com', redacted: '[R]', source: 'en.wikipedia.org/wiki/Email_address' },
    { text: 'user.name+tag+sorting@example.com', redacted: '[R]', source: 'en.wikipedia.org/wiki/Email_address' },
    { text: 'mail <bob@mail.example.co.uk>, now', redacted: 'mail <[R]>, now', source: 'RFC 5322 section 3.4' },
    { text: '"john doe"@example.org', redacted: '[R]', source: 'RFC 5321 section 4.1.2: Quoted-string' },
    { text: 'user@[192.168.2.1]', redacted: '[R]', source: 'RFC 5321 section 4.1.3' },
    { text: 'θσερ@εχαμπλε.ψομ', redacted: '[R]', source: 'RFC 6531: the example of its test suites' },
    { text: '用户@例子.广告', redacted: '[R]', source: 'RFC 6531: the example of its test suites' },
    {
      text: 'https://example.com/?mail=bob%40example.com&x=1',
      redacted: 'https://example.com/?mail=[R]&x=1',
      source: 'RFC 3986 section 2.1',
    },
    { text: "o'brien@example.com", redacted: '[R]', source: 'a name in use' },
    { text: "to='bob@example.com'", redacted: "to='[R]'", source: 'quotes around it' },
    { text: 'a@b.co', redacted: '[R]', source: 'the shortest' },
    { text: '"to\\nann@example.com"', redacted: '"to\\n[R]"', source: 'lines in JSON (RFC 8259 section 7)' },
  ],
  credentials: [
    { text: 'Authorization: Bearer mF_9.B5f-4.1JqM', redacted: 'Authorization: [R]', source: 'RFC 6750 section 2.1' },
    { text: 'sent Bearer mF_9.B5f-4.1JqM to it', redacted: 'sent Bearer [R] to it', source: 'RFC 6750 section 2.1' },
    { text: 'bearer abcdefghijklmnopqrstuvwx', redacted: 'bearer [R]', source: 'a long word is a token' },
    {
      text: String.raw`{"raw":"GET / HTTP/1.1\r\nCookie: SID=31d4\r\nX-Api-Key: abc\r\nAuthorization: Bearer mF_9.B5f-4"}`,
      redacted: String.raw`{"raw":"GET / HTTP/1.1\r\nCookie: [R]"}`,
      source: 'a request in JSON (RFC 8259 section 7)',
    },
    { text: String.raw`"a\nBearer mF_9.B5f-4.1JqM"`, redacted: String.raw`"a\nBearer [R]"`, source: 'a line in JSON' },
    { text: String.raw`"a\nX-Api-Key: abc"`, redacted: String.raw`"a\nX-Api-Key: [R]"`, source: 'a line in JSON' },
    { text: String.raw`"a\nghp_${'a1'.repeat(18)}"`, redacted: String.raw`"a\n[R]"`, source: 'a line in JSON' },
    { text: 'Authorization: Token token="abc"', redacted: 'Authorization: [R]', source: 'RFC 9110 section 11.4' },
    {
      text: 'Authorization: Hawk id="dh37fgj492je", mac="6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE="\nnext',
      redacted: 'Authorization: [R]\nnext',
      source: 'Hawk, and RFC 9110 section 11.4',
    },
    { text: 'Cookie: theme="x"; SID=31d4', redacted: 'Cookie: [R]', source: 'RFC 6265 section 4.1.1' },
    {
      text: 'postgres://app:p@ss@db/shop',
      redacted: 'postgres://app:[R]@db/shop',
      source: 'WHATWG URL, authority state',
    },
    { text: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==', redacted: 'Basic [R]', source: 'RFC 7617 section 2' },
    {
      text: 'Authorization: Digest username="Mufasa", realm="http-auth@example.org", response="753927fa0e85d155564e2e272a28d180"',
      redacted: 'Authorization: [R]',
      source: 'RFC 7616 section 3.9.1',
    },
    {
      text: '"proxy-authorization": "Basic dGVzdDoxMjPCow=="',
      redacted: '"proxy-authorization": "[R]"',
      source: 'RFC 7617 section 2.1',
    },
    { text: 'x-api-key: 1234', redacted: 'x-api-key: [R]', source: 'the header of API gateways' },
    {
      text: "headers: { 'X-Vault-Token': 'abc' }",
      redacted: "headers: { 'X-Vault-Token': '[R]' }",
      source: 'as util.inspect shows it',
    },
    { text: 'Cookie: SID=31d4d96e407aad42; lang=en-US', redacted: 'Cookie: [R]', source: 'RFC 6265 section 3.1' },
    { text: 'GET /v1?api_key=abc&page=2', redacted: 'GET /v1?api_key=[R]&page=2', source: 'a URL' },
    {
      text: '/cb#access_token=2YotnFZFEjr1zCsicMWpAA&state=xyz',
      redacted: '/cb#access_token=[R]&state=xyz',
      source: 'RFC 6749 section 4.2.2',
    },
    {
      text: 'grant_type=password&username=johndoe&password=A3ddj3w',
      redacted: 'grant_type=password&username=johndoe&password=[R]',
      source: 'RFC 6749 section 4.3.2',
    },
    { text: 'DB_PASSWORD=hunter2 node app.js', redacted: 'DB_PASSWORD=[R] node app.js', source: 'an environment' },
    {
      text: '{"user":"bob","password":"a \\"b\\" c","n":1}',
      redacted: '{"user":"bob","password":"[R]","n":1}',
      source: 'JSON',
    },
    {
      text: '"{\\"token\\":\\"abc\\",\\"n\\":1}"',
      redacted: '"{\\"token\\":\\"[R]\\",\\"n\\":1}"',
      source: 'JSON inside a JSON string',
    },
    {
      text: String.raw`{\"password\":\"a \\\"b\\\" c\",\"n\":1}`,
      redacted: String.raw`{\"password\":\"[R]\",\"n\":1}`,
      source: 'JSON inside a JSON string, with quotes in its value',
    },
    {
      text: JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify({ password: 'a "b" c' })))),
      redacted: JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify({ password: '[R]' })))),
      source: 'JSON inside JSON, four times',
    },
    {
      text: 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      redacted: 'aws_secret_access_key = [R]',
      source: 'docs.aws.amazon.com/cli: the file of credentials',
    },
    {
      text: 'AccountName=shop;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq==;EndpointSuffix=x',
      redacted: 'AccountName=shop;AccountKey=[R];EndpointSuffix=x',
      source: 'learn.microsoft.com/azure/storage: connection strings',
    },
    {
      text: '/blob?sv=2022-11-02&sig=Z%2FRHIX5Xcg0Mq2rqI3OlWTjEg2tYkboXr1P9ZUXDtkk%3D',
      redacted: '/blob?sv=2022-11-02&sig=[R]',
      source: 'learn.microsoft.com/azure/storage: shared access signatures',
    },
    {
      text: '/key?X-Amz-Date=20130524T000000Z&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
      redacted: '/key?X-Amz-Date=20130524T000000Z&X-Amz-Signature=[R]',
      source: 'docs.aws.amazon.com/AmazonS3: query string authentication',
    },
    { text: 'GITHUB_TOKEN=abc SMTP_PASS=def', redacted: 'GITHUB_TOKEN=[R] SMTP_PASS=[R]', source: 'an environment' },
    {
      text: 'client_id=s6BhdRkqt3&client_secret=7Fjfp0ZBr1KtDRbnfVdmIw',
      redacted: 'client_id=s6BhdRkqt3&client_secret=[R]',
      source: 'RFC 6749 section 2.3.1',
    },
    {
      text: 'postgres://app:pa55word@db:5432/shop',
      redacted: 'postgres://app:[R]@db:5432/shop',
      source: 'RFC 3986 section 3.2.1',
    },
    { text: 'redis://:secret@cache', redacted: 'redis://:[R]@cache', source: 'a URL without a name' },
    {
      text: `id ${token('AKIA', 16, 'IOSFODNN7EXAMPLE')}`,
      redacted: 'id [R]',
      source: 'AWS documentation: an access key id',
    },
    ...[
      [token('ghp_', 36), 'docs.github.com/en/authentication: token formats'],
      [token('github_pat_', 40), 'docs.github.com/en/authentication: token formats'],
      [token('glpat-', 20), 'docs.gitlab.com/security/tokens: token prefixes'],
      [token('xoxb-', 40, '0123456789-'), 'docs.slack.dev/authentication/tokens'],
      [token('xapp-', 40, '1-A0B1'), 'docs.slack.dev/authentication/tokens'],
      [token('AIza', 35), 'cloud.google.com/docs/authentication/api-keys'],
      [token('ya29.', 40), 'developers.google.com/identity/protocols/oauth2: an access token'],
      [token('sk_live_', 24), 'docs.stripe.com/keys'],
      [token('whsec_', 32), 'docs.stripe.com/webhooks/signature'],
      [token('sk-proj-', 40), 'platform.openai.com/docs: project keys'],
      [token('npm_', 36), 'docs of npm: about access tokens'],
      [token('hvs.', 24), 'developer.hashicorp.com/vault/docs/concepts/tokens: token prefixes'],
      [`${token('SG.', 22)}.${token('', 43)}`, 'docs of SendGrid: API keys'],
    ].map(([text, source]) => ({ text: `key ${text}, next`, redacted: 'key [R], next', source: source! })),
    {
      text: '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY----- end',
      redacted: '[R] end',
      source: 'RFC 7468, RFC 5915 section 4',
    },
    { text: '-----BEGIN PRIVATE KEY-----\nMHcCAQEE', redacted: '[R]', source: 'RFC 7468, cut' },
    {
      text: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n-----END OPENSSH PRIVATE KEY-----',
      redacted: '[R]',
      source: 'the file PROTOCOL.key of OpenSSH',
    },
    {
      text: '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlIYEZ\n-----END PGP PRIVATE KEY BLOCK-----',
      redacted: '[R]',
      source: 'RFC 9580 section 6.2',
    },
  ],
}

export const negatives: Readonly<Record<PatternPresetName, readonly Negative[]>> = {
  jwt: [
    { text: 'eyJ', source: 'too short' },
    { text: 'eyJhIjoxfQ== eyJhIjoyfQ==', source: 'RFC 4648: two objects in base64' },
    { text: 'https://example.com/eyJhbGciOiJub25lIn0/a.b.c', source: 'a path' },
    { text: 'eyJust a word', source: 'a word' },
    { text: 'version 1.2.3.4', source: 'dots alone' },
    { text: 'eyJhbGciOiJub25lIn0, alone', source: 'an object in base64url' },
  ],
  card: [
    { text: '4111111111111112', source: 'a wrong check digit' },
    { text: '1234567890123452', source: 'no network has such numbers' },
    { text: '1795255000000', source: 'milliseconds of a clock' },
    { text: '1795255000000000001', source: 'nanoseconds of a clock' },
    { text: '2026-11-21T09:56:03.123Z', source: 'RFC 3339' },
    { text: '0.4111111111111111', source: 'a fraction' },
    { text: 'f4111111111111111', source: 'a hexadecimal number' },
    { text: '550e8400-e29b-41d4-a716-446655440000', source: 'RFC 9562' },
    { text: '0af7651916cd43dd8448eb211c80319c', source: 'a trace id of the W3C' },
    { text: '+49 30 901820', source: 'a telephone number' },
    { text: 'order 4012-8888-8888-1882', source: 'an order number with a wrong check digit' },
    { text: '192.168.100.101 2001:0db8:85a3:0000:0000:8a2e:0370:7334', source: 'RFC 791, RFC 4291: addresses' },
    { text: '20261121095603', source: 'ISO 8601, basic form' },
    { text: '9223372036854775807', source: 'the largest 64-bit integer' },
    { text: '41111111111111111111111', source: 'too many digits' },
  ],
  email: [
    { text: 'user@localhost', source: 'no domain' },
    { text: '@scope/package@1.2.3', source: 'a package' },
    { text: 'icon@2x.png', source: 'a picture' },
    { text: 'https://shop:hunter2@api.example.com/v1', source: 'RFC 3986 section 3.2.1: a host' },
    { text: '100%40', source: 'a percentage' },
    { text: 'say @all', source: 'a mention' },
    { text: 'a @ b.com', source: 'spaces around' },
    { text: 'Object.<anonymous> (file:///app/node_modules/.pnpm/pkg@1.0.0/index.js:1:2)', source: 'a stack' },
  ],
  credentials: [
    { text: 'the bearer of bad news', source: 'English' },
    { text: 'Bearer authentication is required', source: 'English' },
    { text: 'Basic training starts at 9', source: 'English' },
    { text: 'error: not found', source: 'a message' },
    { text: 'token: expired', source: 'a message' },
    { text: 'at 09:56:03 in https://example.com/a:b', source: 'colons' },
    { text: 'page=2&sort=name&total=4', source: 'a URL' },
    { text: 'nextPageToken=CAUQAA&page_token=x', source: 'google.aip.dev/158: pagination' },
    { text: 'tests: pass=3 fail=0 bypass=1', source: 'a report' },
    { text: 'max_tokens=512 tokenizer=bpe keyboard=us monkey=1', source: 'names that hold words of secrets' },
    { text: '{"tokens":3,"author":"Ann","passed":true}', source: 'JSON' },
    { text: '550e8400-e29b-41d4-a716-446655440000', source: 'RFC 9562' },
    { text: 'git commit 4f7a3f8e238acb93f82d2fd6789c423e98415949', source: 'a hash' },
    { text: 'https://example.com:8443/a', source: 'RFC 3986 section 3.2.3' },
    { text: 'git@github.com:org/repo.git', source: 'no password' },
    { text: 'a risk-free desk-lamp-with-a-long-name-for-it', source: 'a word that ends in sk-' },
    {
      text: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
      source: 'RFC 7468: what everybody may see',
    },
  ],
}
