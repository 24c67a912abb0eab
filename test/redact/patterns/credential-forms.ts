// cspell:ignore libfoo
import type { Negative, Positive } from './corpora.ts'

const blanks = ['\u00a0', '\u1680', '\u2003', '\u2009', '\u200b', '\u202f', '\u205f', '\u3000', '\ufeff', ' \u00a0\t']
const operators = ['=', ':=', '==', '===', '=>']

/** Names and values in the syntax of programs, shells, settings and `util.inspect`. */
export const credentialForms: readonly Positive[] = [
  ...blanks.flatMap((blank) => [
    form(`password${blank}=${blank}`, 'abc', '', 'a Unicode space around ='),
    form(`"password"${blank}:${blank}"`, 'a b', '",', 'a Unicode space around :'),
    form(`X-Api-Key${blank}:${blank}`, 'abc', '', 'a Unicode space around :'),
    form(`Bearer${blank}`, 'mF_9.B5f-4.1JqM', '', 'a Unicode space'),
  ]),
  ...operators.flatMap((operator) => [
    form(`password ${operator} `, 'abc', ' next', `the operator ${operator}`),
    form(`password ${operator} "`, 'a b', '" next', `the operator ${operator}`),
    form(`if (password ${operator} '`, 'a b', "') {", `the operator ${operator}`),
  ]),
  form('password==', 'abc', ' next', 'the operator == without spaces'),
  form('password: >', 'x', ' next', 'a > before the value'),
  form('password: > ', 'hunter', ' next', 'a > before the value'),
  form('password: |\n  ', 'hunter', '\nnext: 1', 'YAML 1.2 section 8.1.2: a literal scalar'),
  form('password: >-\n  ', 'hunter', '\nnext: 1', 'YAML 1.2 section 8.1.3: a folded scalar'),
  form('{ password: ', "[ 'x' ]", ', a: 1 }', 'util.inspect: a list'),
  form('{ password: ', "[ 'x', 'y' ]", ', a: 1 }', 'util.inspect: a list'),
  form('{\n  password: ', `[\n    '${'x'.repeat(2_000)}',\n    'y'\n  ]`, ',\n  a: 1 }', 'util.inspect: a long list'),
  form('{ password: ', '[ 12, 34 ]', ', a: 1 }', 'util.inspect: a list of numbers'),
  form('{ password: ', "{ value: 'x' }", ', a: 1 }', 'util.inspect: an object'),
  form('{ password: ', "[ { value: [ 'x' ] } ]", ', a: 1 }', 'util.inspect: lists and objects'),
  form("Map(1) { 'password' => '", 'x', "' }", 'util.inspect: a Map'),
  form('{ password: `', `it's "x"`, '` }', 'util.inspect: a string with both quotes'),
  form("{ password: '", "a\\n' +\n    'b", "' }", 'util.inspect: a string of two lines'),
  form('password = "', 'a" + "b', '";', 'a program: concatenated strings'),
  form('password="', 'a"b', ' next', 'a shell: text after a quote'),
  form('password="', 'a"b"c', '" next', 'a shell: adjacent quoted parts'),
  form('password="', `a"'b`, "' next", 'a shell: quotes of two kinds'),
  form("password='", `a'"b c`, '" next', 'a shell: quotes of two kinds'),
  form('password="', 'a""b', '" next', 'RFC 4180 section 2: a doubled quote'),
  form('password="', 'a"" b', '" next', 'RFC 4180 section 2: a doubled quote before a space'),
  form("password='", "it''s me", "' next", 'SQL: a doubled quote'),
  form('password="""', 'a b', '""" next', 'Python: three quotes', 2),
  form('password="', 'a\\"b', '" next', 'an escaped quote'),
  form('password="', 'a\\\\\\"b', '" next', 'an escaped backslash and an escaped quote'),
  form('password=', 'a"b', ' next', 'a quote in a value without quotes'),
  form('password=', "a'b", ' next', 'a quote in a value without quotes'),
  form('password=', 'a\\"b', ' next', 'an escaped quote in a value without quotes'),
  ...'DB_PASSWORD_PROD password2 API_TOKEN_V2 PASSWORD_OLD passwordHash newPassword1 pass PASS SSHPASS passwd pwd PW otp cvv dsn'
    .split(' ')
    .flatMap((name) => [
      form(`${name}=`, 'abc9', ' next', 'a name with a suffix, or a short one'),
      form(`{"${name}":"`, 'abc', '"}', 'a secret name in JSON'),
      form(`${name}: `, 'hunter2', ' next', 'a secret name in YAML'),
    ]),
]

function form(before: string, value: string, after: string, source: string, outer = 0): Positive {
  const around = before.slice(0, before.length - outer)
  // The outer quotes of a triple-quoted string are redacted with its value.
  return { text: `${before}${value}${after}`, redacted: `${around}[R]${after.slice(outer)}`, source }
}

/** Ordinary texts with the names, operators and quotes of secrets. */
export const everydayTexts: readonly Negative[] = [
  ...[
    'tests: pass=3 fail=0, first pass: 12 ms, pass: 128',
    '{"pass":3,"fail":0,"skip":1}',
    'pass=100% of 20, pass=ok',
    'password == null, token === undefined, password=true, {"token":null}',
    "`password`: the password of the user, at least 8 characters, shown as '*'",
    'password: [optional, at least 8 characters]',
    'token: >5 minutes old, password: > 8 characters',
    '<b>Password:</b> is required, Password:\n> see above',
    'passenger=12 compass=N author=Ann pinned=1 monkey=2 threshold=9 spin=up',
    '{"usage":{"prompt_tokens":120,"completion_tokens":30,"tokenCount":150,"costPerToken":0.01}}',
    'tokens: 120, tokens=120, tokenizer: bpe, eos_token=2, syncToken=a1',
    'default: 1, value=2, test=3, new: 4, old=5, prod=6, stage: 7, v2: 8, local=9',
    '2026-11-22 09:56:03.123 T09:56:03 status installed libfoo-dev:amd64 1:2.3',
    'render_pass=depth boardingPass=A1 low_pass=440',
    'secretArn=arn:aws:x accessKeyId=x tokenType=jwt passwordLength=12 tokenId=7',
  ].map((text) => ({ text, source: 'ordinary names and values' })),
  ...[
    'the user entered a wrong password: try again',
    'Token: expired at 09:56',
    'secret: none, credentials: missing',
    'a password, "quoted", and a token',
    'key: value, primaryKey=7, foreign_key=8',
    "it's the user's pass, isn't it: yes",
  ].map((text) => ({ text, source: 'English' })),
]
