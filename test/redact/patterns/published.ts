import type { PatternPresetName } from '../../../src/redact/patterns/presets.ts'
import { negatives, positives } from './corpora.ts'
import { tokenFormats, tokenOf } from './token-formats.ts'

/** Texts from another project: some that contain a secret, with the secret, and some that do not. */
export interface Published {
  readonly source: string
  readonly secrets: readonly (readonly [text: string, secret: string])[]
  readonly harmless: readonly string[]
}

const keyword = '{{h}o)p${e]nob(ody[finds>-_$#thisone}}'

/** Examples of tests/plugins/keyword_test.py in detect-secrets of Yelp: how programs in many languages set secrets. */
const detectSecrets: Published = {
  source: 'detect-secrets',
  secrets: [
    'apikey := "',
    "apikey := '",
    'apikey:= "',
    'apikey  :=   "',
    'apikey:=  "',
    '"theapikey": "',
    'apikey: "',
    'apikey:  "',
    'apikey = "',
    'apikey =@"',
    'apikey  =   @"',
    'apikey[]= "',
    'some_dict["secret"] = "',
    'the_password= "',
    'apikey: ',
    'apikey:',
    'theapikey:',
    "some_dict['secret'] = ",
    'my_password=',
    'my_password = ',
    'apikey := ',
    'apikey "',
    'private_key "',
    'fooprivate_key"',
  ].map((before) => [`${before}${keyword}${/["']$/.exec(before)?.[0] ?? ''}`, keyword] as const),
  harmless: [
    'theapikey := ""',
    'theapikeyforfoo := hopenobodyfindsthisone',
    'theapikey: ""',
    'theapikeyforfoo:hopenobodyfindsthisone',
    'password: ${link}',
    'some_key = "real_secret"',
    'my_password = ""',
    'private_key "";',
    // Code in which the value is not a secret.
    'my_password = True',
    '$password = $input;',
    'apiKey: this.apiKey,',
    'login(username=username, password=password)',
  ],
}

/** Tokens of the formats that gitleaks looks for. */
function gitleaks(only: RegExp): Published {
  const formats = tokenFormats.filter(({ name }) => only.test(name))
  const secrets = formats.map((format, index) => {
    const token = tokenOf(format, 7_919 * (index + 1))
    return [`a ${token} b`, token] as const
  })
  return { source: 'gitleaks', secrets, harmless: [] }
}

function presidio(secrets: readonly string[], harmless: readonly string[] = []): Published {
  return { source: 'Presidio', secrets: secrets.map((secret) => [`my number is ${secret}, ok`, secret]), harmless }
}

const cards =
  '4012888888881881 4012-8888-8888-1881 122000000000003 371449635398431 5555555555554444 5019717010103742 30569309025904 ' +
  '6011000400000000 3528000700000000 6759649826438453 4111111111111111 4917300800000000 4484070000000000'

export const published: Readonly<Record<PatternPresetName, readonly Published[]>> = {
  credentials: [detectSecrets, gitleaks(/./), own('credentials')],
  jwt: [own('jwt')],
  privateKey: [own('privateKey')],
  connectionString: [own('connectionString')],
  awsKey: [gitleaks(/^aws-access/), own('awsKey')],
  githubToken: [gitleaks(/^github/), own('githubToken')],
  slackToken: [gitleaks(/^slack/), own('slackToken')],
  stripeKey: [gitleaks(/^stripe/), own('stripeKey')],
  googleApiKey: [gitleaks(/^gcp/), own('googleApiKey')],
  card: [presidio(cards.split(' '), ['4012-8888-8888-1882', '36168002586008']), own('card')],
  iban: [own('iban')],
  ssn: [
    presidio(
      ['078051121', '078-05-1123', '078.05.1123', '078 05 1123'],
      ['0780511201', '000000000', '666000000', '078-05-0000', '078 00 1123', '693-09.4444'],
    ),
    own('ssn'),
  ],
  email: [own('email')],
  phone: [presidio(['(415) 555-0132', '+1 415 555 0132', '09-7625400']), own('phone')],
  ipAddress: [
    presidio([
      '192.168.0.1',
      '684D:1111:222:3333:4444:5555:6:77',
      '2345:0425:2CA1::0567:5673:23b5',
      '::',
      '::1',
      'fe80::1',
      'ff02::1',
      '::ffff:192.0.2.1',
      '::192.168.1.1',
      '64:ff9b::192.0.2.1',
      '0:0:0:0:0:FFFF:129.144.52.38',
      '2400:c401::5054:ff:fe1b:b031',
    ]),
    own('ipAddress'),
  ],
}

/** The examples of the specifications and documents named in corpora.ts. */
function own(name: PatternPresetName): Published {
  return {
    source: 'specifications',
    secrets: positives[name].map(({ text }) => [text, text]),
    harmless: negatives[name].map(({ text }) => text),
  }
}
