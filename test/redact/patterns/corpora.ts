import { credentialForms, everydayTexts } from './credential-forms.ts'
import type { PatternPresetName } from '../../../src/redact/patterns/presets.ts'

/** A text, its redacted form, and the source of both. */
export interface Positive {
  readonly text: string
  readonly redacted: string
  readonly source: string
}

/** A text that must not be redacted. */
export interface Negative {
  readonly text: string
  readonly source: string
}

/** Builds tokens at run time, so that secret scanners do not report this file. */
function token(beginning: string, length: number, alphabet = 'aB3dE5gH7jK9mN1pQ2sT4vX6'): string {
  return beginning + alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length)
}

// RFC 7519 section 3.1, and the encrypted token of RFC 7516 appendix A.1.7, shortened.
const signed =
  'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const unsigned = 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODB9.'
const encrypted =
  'eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOawDo13gRp2ojaHV7LFpZcgV7T.48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rp.XFBoMYUZodetZdvTiFvSkQ'
const direct = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rp.XFBoMYUZodetZdvTiFvSkQ'

/** The example of each country in the IBAN registry of SWIFT. */
const ibans =
  'AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 AT611904300234573201 AZ21NABZ00000000137010001944 \
BA391290079401028494 BE68539007547034 BG80BNBG96611020345678 BH67BMAG00001299123456 BR9700360305000010009795493P1 \
BY13NBRB3600900000002Z00AB00 CH9300762011623852957 CR05015202001026284066 CY17002001280000001200527600 CZ6508000000192000145399 \
DE89370400440532013000 DK5000400440116243 DO28BAGR00000001212453611324 EE382200221020145685 ES9121000418450200051332 \
FI2112345600000785 FO6264600001631634 FR1420041010050500013M02606 GB29NWBK60161331926819 GE29NB0000000101904917 \
GI75NWBK000000007099453 GL8964710001000206 GR1601101250000000012300695 GT82TRAJ01020000001210029690 HR1210010051863000160 \
HU42117730161111101800000000 IE29AIBK93115212345678 IL620108000000099999999 IS140159260076545510730339 IT60X0542811101000000123456 \
JO94CBJO0010000000000131000302 KW81CBKU0000000000001234560101 KZ86125KZT5004100100 LB62099900000001001901229114 LI21088100002324013AA \
LT121000011101001000 LU280019400644750000 LV80BANK0000435195001 MC5811222000010123456789030 MD24AG000225100013104168 \
ME25505000012345678951 MK07250120000058984 MR1300020001010000123456753 MT84MALT011000012345MTLCAST001S MU17BOMM0101101030300200000MUR \
NL91ABNA0417164300 NO9386011117947 PK36SCBL0000001123456702 PL61109010140000071219812874 PS92PALS000000000400123456702 \
PT50000201231234567890154 QA58DOHB00001234567890ABCDEFG RO49AAAA1B31007593840000 RS35260005601001611379 SA0380000000608010167519 \
SE4550000000058398257466 SI56263300012039086 SK3112000000198742637541 SM86U0322509800000000270100 TL380080012345678910157 \
TN5910006035183598478831 TR330006100519786457841326 VA59001123000012345678 XK051212012345678906'.split(/ +/)

const pem: readonly Positive[] = ['', 'RSA ', 'EC ', 'DSA ', 'ENCRYPTED ', 'OPENSSH '].map((kind) => ({
  text: `key:\n-----BEGIN ${kind}PRIVATE KEY-----\nMHcCAQEE\n-----END ${kind}PRIVATE KEY-----\nend`,
  redacted: 'key:\n[R]\nend',
  source: 'RFC 7468, RFC 5958, PROTOCOL.key of OpenSSH',
}))

export const positives: Readonly<Record<PatternPresetName, readonly Positive[]>> = {
  privateKey: pem,
  awsKey: [
    token('AKIA', 16, 'IOSFODNN7EXAMPLE'),
    token('ASIA', 16, 'IOSFODNN7EXAMPLE'),
    token('ABIA', 16, 'IOSFODNN7EXAMPLE'),
  ].map((text) => ({
    text: `id ${text}, next`,
    redacted: 'id [R], next',
    source: 'docs.aws.amazon.com/IAM: unique identifiers',
  })),
  githubToken: [
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => token(prefix, 36)),
    `${token('github_pat_', 22)}_${token('', 59)}`,
  ].map((text) => ({
    text: `at ${text}.`,
    redacted: 'at [R].',
    source: 'docs.github.com/en/authentication: token formats',
  })),
  slackToken: [
    ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxe.xoxp-'].map((prefix) =>
      token(prefix, 40, '0123456789-'),
    ),
    token('xapp-', 40, '1-A0B1'),
  ]
    .map((text) => ({ text, redacted: '[R]', source: 'docs.slack.dev/authentication/tokens' }))
    .concat({
      text: `https://hooks.slack.com/${token('services/T', 8, '0A1B')}/${token('B', 8, '0A1B')}/${token('', 24)} x`,
      redacted: 'https://[R] x',
      source: 'docs.slack.dev/messaging: incoming webhooks',
    }),
  stripeKey: [
    ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'].map((prefix) => token(prefix, 24)),
    token('whsec_', 32),
  ].map((text) => ({ text: `key=${text} x`, redacted: 'key=[R] x', source: 'docs.stripe.com/keys' })),
  googleApiKey: [token('AIza', 35), token('GOCSPX-', 28), token('ya29.', 60)].map((text) => ({
    text: `?k=${text}&x=1`,
    redacted: '?k=[R]&x=1',
    source: 'cloud.google.com/docs/authentication',
  })),
  connectionString: [
    ['postgres://app:pa55@db/shop', 'postgres://app:[R]@db/shop', 'RFC 3986 section 3.2.1'],
    [
      'Server=db;Database=shop;User Id=app;Password=a,b c;Encrypt=true',
      'Server=db;Database=shop;User Id=app;Password=[R] c;Encrypt=true',
      'learn.microsoft.com: ADO.NET, a blank ends it without quotes',
    ],
    ['Server=db;Pwd="a;b";X=1', 'Server=db;Pwd=[R];X=1', 'learn.microsoft.com: ADO.NET, quotes'],
    ['Driver={PostgreSQL};Uid=a;PWD={a;b};X=1', 'Driver={PostgreSQL};Uid=a;PWD=[R];X=1', 'learn.microsoft.com: ODBC'],
    [
      'jdbc:postgresql://db/shop?user=a&password=b&ssl=1',
      'jdbc:postgresql://db/shop?user=a&password=[R]&ssl=1',
      'jdbc.postgresql.org',
    ],
    [
      'AccountName=a;AccountKey=Eby8vdM0=;Suffix=x',
      'AccountName=a;AccountKey=[R];Suffix=x',
      'learn.microsoft.com: Azure Storage',
    ],
    [
      'Endpoint=sb://n/;SharedAccessKeyName=k;SharedAccessKey=abc=',
      'Endpoint=sb://n/;SharedAccessKeyName=k;SharedAccessKey=[R]',
      'learn.microsoft.com: Service Bus',
    ],
  ].map(([text, redacted, source]) => ({ text: text!, redacted: redacted!, source: source! })),
  iban: ibans.flatMap((text) => [
    { text, redacted: '[R]', source: 'IBAN registry: the example of each country' },
    {
      text: `pay ${text.replaceAll(/(.{4})(?=.)/g, '$1 ')}.`,
      redacted: 'pay [R].',
      source: 'an IBAN in printed groups',
    },
  ]),
  ssn: [
    ...['078-05-1120', '219-09-9999', '078 05 1123', '078.05.1123'].map((text) => ({
      text: `ssn ${text}, next`,
      redacted: 'ssn [R], next',
      source: 'SSA: numbers used in advertising; separators of Presidio',
    })),
    { text: 'ssn=078-05-1120;', redacted: 'ssn=[R];', source: 'a form' },
  ],
  phone: [
    ...[
      '+1 415 555 0132',
      '+14155550132',
      '+1-415-555-0132',
      '+44 20 7946 0958',
      '+442079460958',
      '+49 30 901820',
      '+49 (0)30 23125 000',
      '+33 1 99 00 12 34',
      '+81 3-1234-5678',
      '+86 138 0013 8000',
      '+972 9-762-5400',
      '+353 1 222 2222',
    ].map((text) => ({
      text: `call ${text}, now`,
      redacted: 'call [R], now',
      source: 'ITU-T E.164; numbers for drama (Ofcom, ARCEP)',
    })),
    ...['(415) 555-0132', '415-555-0132', '415.555.0132', '415 555 0132', '1-415-555-0132', '(415)555-0132'].map(
      (text) => ({
        text: `call ${text}, now`,
        redacted: 'call [R], now',
        source: 'NANPA: 555-01XX for fiction',
      }),
    ),
  ],
  ipAddress: [
    ...[
      '192.168.0.1',
      '127.0.0.1',
      '255.255.255.255',
      '0.0.0.0',
      '::1',
      '::ffff:192.0.2.1',
      '2001:db8::1',
      'fe80::1',
    ].flatMap((text) => [
      { text, redacted: '[R]', source: 'RFC 791, RFC 4291' },
      { text: `from ${text}, port 80`, redacted: 'from [R], port 80', source: 'in a sentence' },
      { text: `(${text})`, redacted: '([R])', source: 'in brackets' },
    ]),
    { text: '684D:1111:222:3333:4444:5555:6:77', redacted: '[R]', source: 'RFC 4291 section 2.2' },
    { text: '64:ff9b::192.0.2.1', redacted: '[R]', source: 'RFC 6052' },
    { text: 'http://[2001:db8::1]:8080/', redacted: 'http://[[R]]:8080/', source: 'RFC 3986 section 3.2.2' },
    { text: '10.0.0.1:443 192.168.1.0/24', redacted: '[R]:443 [R]/24', source: 'ports and networks' },
    { text: 'Server IP: 2001:db8::1.', redacted: 'Server IP: [R].', source: 'the end of a sentence' },
  ],
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
    { text: `a=${signed},b=${unsigned}`, redacted: 'a=[R],b=[R]', source: 'two values' },
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
    { text: '4111 1111 1111 1111', redacted: '[R]', source: 'the spaces on a card' },
    { text: '4111-1111-1111-1111', redacted: '[R]', source: 'dashes as in forms' },
    { text: '3782-822463-10005', redacted: '[R]', source: 'the groups of American Express' },
    { text: '675964 9826438453', redacted: '[R]', source: 'a space after the issuer number' },
    { text: '411-111-111-111-1111', redacted: '[R]', source: 'in groups of three' },
    { text: 'order 12 4111 1111 1111 1111 2', redacted: 'order 12 [R] 2', source: 'adjacent numbers' },
    { text: 'pan=4111111111111111;exp=12/28', redacted: 'pan=[R];exp=12/28', source: 'a form' },
    { text: 'pan_4111111111111111', redacted: 'pan_[R]', source: 'a name before it' },
    { text: '4111111111111111 5555555555554444', redacted: '[R] [R]', source: 'two values' },
    { text: 'order A17 4111 1111 1111 1111', redacted: 'order A17 [R]', source: 'a number after a letter' },
    { text: '4111 1111 1111 1111 2nd try', redacted: '[R] 2nd try', source: 'an ordinal after it' },
    { text: 'paid 12.50 4111111111111111', redacted: 'paid 12.50 [R]', source: 'an amount before it' },
    { text: '4111 1111 1111 1111 30ms', redacted: '[R] 30ms', source: 'a duration after it' },
    { text: '"a\\n4111111111111111\\nb"', redacted: '"a\\n[R]\\nb"', source: 'lines in JSON (RFC 8259 section 7)' },
    { text: 'pan=4111+1111+1111+1111', redacted: 'pan=[R]', source: 'a form (WHATWG URL, urlencoded)' },
    { text: 'pan=4111%201111%201111%201111', redacted: 'pan=[R]', source: 'RFC 3986 section 2.1' },
    { text: 'q=pan%3A4111111111111111', redacted: 'q=pan%3A[R]', source: 'RFC 3986 section 2.1, a colon before it' },
    {
      text: '%B4111111111111111^DOE/JOHN^2512101?',
      redacted: '%B[R]^DOE/JOHN^2512101?',
      source: 'ISO/IEC 7813: track 1',
    },
    {
      text: ';4111111111111111=25121010000012345678?',
      redacted: ';[R]=25121010000012345678?',
      source: 'ISO/IEC 7813: track 2',
    },
    { text: '4111111111111111D2512101', redacted: '[R]D2512101', source: 'EMV: track 2 equivalent data' },
    { text: 'PAN4111111111111111', redacted: 'PAN[R]', source: 'a word before it' },
    { text: 'A4111111111111111', redacted: 'A[R]', source: 'a letter before it' },
    { text: '{n:4111111111111111n}', redacted: '{n:[R]n}', source: 'a BigInt' },
    ...['\u00a0', '\u202f', '\u2009', '\u2007', '\u2011', '\u2013'].map((blank) => ({
      text: ['4111', '1111', '1111', '1111'].join(blank),
      redacted: '[R]',
      source: `groups with U+${blank.charCodeAt(0).toString(16)} between`,
    })),
    { text: 'q=pan%204111111111111111', redacted: 'q=pan%20[R]', source: 'RFC 3986 section 2.1, a space before it' },
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
    { text: "o'brien@example.com", redacted: '[R]', source: 'a name with an apostrophe' },
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
    ...['x-api-key', 'password', 'token', 'client_secret'].flatMap((name) => [
      { text: `{"${name}":["SECRET"],"a":1}`, redacted: `{"${name}":[R],"a":1}`, source: 'an array in JSON' },
      { text: `{"${name}":{"v":"S]}"},"a":1}`, redacted: `{"${name}":[R],"a":1}`, source: 'an object in JSON' },
      { text: `{"${name}":[{"v":["S"]}, "T"],"a":1}`, redacted: `{"${name}":[R],"a":1}`, source: 'arrays in JSON' },
      {
        text: JSON.stringify(`{"${name}":["SEC\\"RET"],"a":1}`),
        redacted: JSON.stringify(`{"${name}":[R],"a":1}`),
        source: 'an array in a JSON string',
      },
      { text: `{"${name}":["SECRET`, redacted: `{"${name}":[R]`, source: 'JSON without its end' },
    ]),
    ...[
      'MYSQL_PWD',
      'SECRET_KEY_BASE',
      'DB_CREDENTIALS',
      'GPG_PASSPHRASE',
      'APP_ENCRYPTION_KEY',
      'RAILS_MASTER_KEY',
      'dbPassword',
      'userPwd',
      'AWS_SECRET_ACCESS_KEY',
      'COOKIE_SIGNING_KEY',
      'app.datasource.password',
    ].map((name) => ({
      text: `${name}=abc node app`,
      redacted: `${name}=[R] node app`,
      source: 'names with prefixes',
    })),
    ...['', ' ', '    ', ' '.repeat(40), '\t \t', '\t'.repeat(9)].flatMap((blank) => [
      { text: `password${blank}=${blank}abc x`, redacted: `password${blank}=${blank}[R] x`, source: 'blanks around =' },
      {
        text: `"password"${blank}:${blank}"abc",`,
        redacted: `"password"${blank}:${blank}"[R]",`,
        source: 'blanks around :',
      },
      { text: `X-Api-Key${blank}:${blank}abc`, redacted: `X-Api-Key${blank}:${blank}[R]`, source: 'blanks around :' },
    ]),
    ...Array.from(String.raw`})]|<>\\({[$#*!%^~+@?`, (first) => ({
      text: `password=${first}abc9 next`,
      redacted: 'password=[R] next',
      source: `a value that begins with ${first}`,
    })),
    ...Array.from('})]|>', (first) => ({
      text: `password=ab${first}c9 next`,
      redacted: 'password=[R] next',
      source: `a value with ${first}`,
    })),
    { text: '{user=bob, password=abc}', redacted: '{user=bob, password=[R]}', source: 'as Java prints a map' },
    { text: '(password=abc) ok', redacted: '(password=[R]) ok', source: 'brackets around' },
    { text: "'password' => 'abc'", redacted: "'password' => '[R]'", source: 'PHP and Ruby' },
    { text: 'apikey := "abc"', redacted: 'apikey := "[R]"', source: 'Go' },
    { text: 'password = b"abc"', redacted: 'password = b"[R]"', source: 'Python' },
    { text: 'user[password]=abc&x=1', redacted: 'user[password]=[R]&x=1', source: 'forms of Rails and PHP' },
    { text: 'user%5Bpassword%5D=abc&x=1', redacted: 'user%5Bpassword%5D=[R]&x=1', source: 'brackets encoded in a URL' },
    { text: 'password: hunter2', redacted: 'password: [R]', source: 'YAML' },
    ...[1, 300, 5_000, 15_000].map((length) => ({
      text: `https://u:${'p'.repeat(length)}@h/x`,
      redacted: 'https://u:[R]@h/x',
      source: `a password of ${length} characters`,
    })),
    { text: `https://${'u'.repeat(500)}:p@h/`, redacted: `https://${'u'.repeat(500)}:[R]@h/`, source: 'a long user' },
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
    { text: '-----BEGIN PRIVATE KEY-----\nMHcCAQEE', redacted: '[R]', source: 'RFC 7468, truncated' },
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
    ...credentialForms,
  ],
}

export const negatives: Readonly<Record<PatternPresetName, readonly Negative[]>> = {
  privateKey: [
    { text: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', source: 'RFC 7468' },
    { text: '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----', source: 'RFC 7468' },
  ],
  awsKey: [
    { text: 'AKIAIOSFODNN7', source: 'too short' },
    { text: `B${token('AKIA', 16, 'IOSFODNN7EXAMPLE')}X`, source: 'inside of a word' },
    { text: 'arn:aws:iam::123456789012:user/bob in AMERICA-ASIA-PACIFIC-REGION', source: 'an ARN' },
  ],
  githubToken: [
    { text: 'ghp_short and github_pat_too', source: 'too short' },
    { text: 'https://github.com/org/ghp_repository', source: 'a URL' },
  ],
  slackToken: [
    { text: 'xoxo-love xoxb-1', source: 'too short' },
    { text: 'see https://slack.com/help and xapp-store', source: 'words' },
  ],
  stripeKey: [
    { text: token('pk_live_', 24), source: 'docs.stripe.com/keys: publishable keys' },
    { text: 'task_test_of_a_long_name_that_goes_on', source: 'a name' },
  ],
  googleApiKey: [{ text: 'AIzaShort and maya29.example.com', source: 'words' }],
  connectionString: [
    { text: 'Server=db;Database=shop;Integrated Security=true', source: 'learn.microsoft.com: ADO.NET' },
    { text: 'https://example.com:8080/@scope', source: 'RFC 3986: a port' },
    { text: 'nextPassword: none, tokens=3, forgot password', source: 'words' },
  ],
  iban: [
    ...ibans
      .map((text) => ({ text: text.slice(0, -1) + (text.endsWith('1') ? '2' : '1'), source: 'a wrong last character' }))
      .filter(({ text }) => !ibans.includes(text)),
    ...ibans.map((text) => ({ text: text.slice(0, -1), source: 'one character too few' })),
    { text: 'AB12CDEFGH34567890 550e8400-e29b-41d4-a716-446655440000', source: 'other identifiers' },
  ],
  ssn: [
    ...['000-12-3456', '666-12-3456', '900-12-3456', '078-00-1120', '078-05-0000', '693-09.4444'].map((text) => ({
      text,
      source: 'SSA: never issued; mixed separators',
    })),
    { text: '2026-11-22 12-34-5678 1078-05-11201', source: 'dates and longer numbers' },
    { text: '078051120', source: 'without separators it may be any number' },
    { text: '550e8400-e29b-41d4-a716-446655440000', source: 'RFC 9562' },
  ],
  phone: [
    { text: '2026-11-22T09:56:03+01:00', source: 'RFC 3339' },
    { text: '+0200 +1 +12345', source: 'offsets and small numbers' },
    { text: '1+12345678 C++20201122', source: 'sums and words' },
    { text: '192.168.100.1001 2026.11.22', source: 'addresses and dates' },
    { text: '550e8400-e29b-41d4-a716-446655440000', source: 'RFC 9562' },
    { text: 'order 123-456-7890', source: 'no area code begins with 1' },
    { text: '4111-1111-1111-1111', source: 'a card' },
  ],
  ipAddress: [
    'version 1.2.3',
    'time 12:34:56',
    'aa:bb:cc:dd:ee:ff',
    'std::cout MyClass::toString dead::beef',
    '256.256.256.256 192.168.1.256',
    '192.168.1',
    'ratio 1:2:3:4',
    ':::',
    'port 80:443',
    'v1.2.3.4 1.2.3.4.5',
    '2001::db8::1 12345:db8::1 gggg:hhhh::1234',
    'text2001:db8::1 fe80::1text',
    'https://example.com:8080/a:b?c=::',
    '2026-11-22T09:56:03.123Z',
  ].map((text) => ({ text, source: 'github.com/microsoft/presidio: test_ip_recognizer.py' })),
  jwt: [
    { text: 'eyJ', source: 'too short' },
    { text: 'eyJhIjoxfQ== eyJhIjoyfQ==', source: 'RFC 4648: two objects in base64' },
    { text: 'https://example.com/eyJhbGciOiJub25lIn0/a.b.c', source: 'a path' },
    { text: 'eyJust a word', source: 'a word' },
    { text: 'version 1.2.3.4', source: 'a version number' },
    { text: 'eyJhbGciOiJub25lIn0, alone', source: 'an object in base64url' },
  ],
  card: [
    { text: '4111111111111112', source: 'a wrong check digit' },
    { text: '1234567890123452', source: 'a number of no card network' },
    { text: '1795255000000', source: 'milliseconds of a clock' },
    { text: '1795255000000000001', source: 'nanoseconds of a clock' },
    { text: '2026-11-21T09:56:03.123Z', source: 'RFC 3339' },
    { text: '0.4111111111111111', source: 'a fraction' },
    { text: '0xaf4111111111111111', source: 'a hexadecimal number' },
    { text: '4111111111111111f', source: 'a hexadecimal number' },
    { text: 'c0ffee4111111111111111', source: 'a hexadecimal number' },
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
    { text: 'password: required, secret: optional', source: 'a message' },
    { text: 'credentials: 3 found', source: 'a message' },
    { text: 'password: ${PASSWORD}', source: 'a template' },
    { text: 'at 09:56:03 in https://example.com/a:b', source: 'colons' },
    { text: 'page=2&sort=name&total=4', source: 'a URL' },
    { text: 'nextPageToken=CAUQAA&page_token=x', source: 'google.aip.dev/158: pagination' },
    { text: 'tests: pass=3 fail=0 bypass=1', source: 'a report' },
    { text: 'max_tokens=512 tokenizer=bpe keyboard=us monkey=1', source: 'names that contain words of secrets' },
    { text: '{"tokens":3,"author":"Ann","passed":true}', source: 'JSON' },
    { text: '550e8400-e29b-41d4-a716-446655440000', source: 'RFC 9562' },
    { text: 'git commit 4f7a3f8e238acb93f82d2fd6789c423e98415949', source: 'a hash' },
    { text: 'https://example.com:8443/a', source: 'RFC 3986 section 3.2.3' },
    { text: 'git@github.com:org/repo.git', source: 'no password' },
    { text: 'a risk-free desk-lamp-with-a-long-name-for-it', source: 'a word that ends in sk-' },
    {
      text: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
      source: 'RFC 7468: public data',
    },
    ...everydayTexts,
  ],
}
