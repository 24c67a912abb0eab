import { describe, expect, test } from '@jest/globals'
import { problemsOf, applyRules } from '../support/redaction/rules.ts'

const X = '[REDACTED]'

describe("keys: 'secrets'", () => {
  const secret = {
    password: 1,
    DB_PASSWORD: 2,
    mysqlPwd: 3,
    MYSQL_PWD: 4,
    secretKeyBase: 5,
    'x-api-key': 6,
    clientSecret: 7,
    access_token: 8,
    authorization: 9,
    Cookie: 10,
    credentials: { user: 'bob' },
    GPG_PASSPHRASE: 11,
    pass: 14,
    newPassword1: 15,
    passwordHash: 16,
    DB_PASSWORD_PROD: 17,
    otp: 18,
    cvv: 19,
    connectionString: 20,
    dsn: 21,
    'app.datasource.password': 12,
    [`${'x'.repeat(1_000)}_password`]: 13,
  }
  const harmless = {
    name: 1,
    passed: 2,
    tokens: 3,
    nextPageToken: 4,
    author: 5,
    keyboard: 6,
    bypass: 7,
    monkey: 8,
    pin: 9,
  }

  test('the preset secrets redacts keys of secrets at any depth and no others', () => {
    const redactedSecrets = Object.fromEntries(Object.keys(secret).map((key) => [key, X]))
    expect(applyRules({ keys: 'secrets' }, { ...secret, ...harmless, deep: { ...secret, ...harmless } })).toEqual({
      ...redactedSecrets,
      ...harmless,
      deep: { ...redactedSecrets, ...harmless },
    })
  })

  test('a preset can be combined with names and expressions, while a string in an array is a name', () => {
    const attributes = { secrets: 1, password: 2, id: 3, b1: 4 }
    expect(applyRules({ keys: [{ preset: 'secrets' }, 'id', /^b/] }, attributes)).toEqual({
      secrets: X,
      password: X,
      id: X,
      b1: X,
    })
    expect(applyRules({ keys: ['secrets'] }, attributes)).toEqual({ ...attributes, secrets: X })
  })

  test.each([
    ['secret', 'redact.keys'],
    [{ preset: 'secrets' }, 'redact.keys'],
    [[{ preset: 'secret' }], 'redact.keys[0]'],
    [[{ preset: 'secrets', more: 1 }], 'redact.keys[0]'],
    [[{ preset: 'toString' }], 'redact.keys[0]'],
    ['constructor', 'redact.keys'],
  ])('the keys %j are rejected at %s with the names of the presets', (keys, path) => {
    expect(problemsOf({ keys })).toEqual([
      { code: 'SLUICE_OPTION_TYPE', path, message: expect.stringContaining("'secrets'") as unknown },
    ])
  })
})
