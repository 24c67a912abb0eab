import { defineEvent } from '../../../src/logger/events.ts'
import type { Logger, LoggerOptions } from '../../../src/logger/types.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { withContext } from '../../../src/platform/node/with-context.ts'
import { canary as secret } from '../fuzz/canary.ts'

/** The rules that redact a row. The canary pattern applies unless a row specifies another pattern or `false`. */
export interface RedactingRules {
  readonly paths?: readonly string[]
  readonly keys?: readonly (string | RegExp)[]
  /** The secret is redacted without a rule. */
  readonly always?: true
  readonly pattern?: RedactOptions['patterns'] | false
}

/** The location of a secret in a record, the rules that redact it, and the call that logs it. */
export interface Row {
  readonly location: string
  readonly rules: RedactingRules
  readonly options?: LoggerOptions
  readonly logTo: (log: Logger) => void
}

function row(location: string, rules: RedactingRules, logTo: (log: Logger) => void, options?: LoggerOptions): Row {
  return { location, rules, logTo, ...(options === undefined ? {} : { options }) }
}

const pin = { keys: ['pin'] }
/** A context with baggage that contains the secret. */
const baggageContext = { getValue: () => ({ getAllEntries: () => [['pin', { value: secret }]] }) }
/** Every truncation of this string is inside the secret. */
const often = secret.repeat(200)
const credentials = { pattern: ['credentials'] } as const

class Account {
  readonly pin = secret
  #owner = 'Ann'
  get owner(): string {
    return this.#owner
  }
}

/** Returns a function that returns the next value each time, then the last value. */
function changing<T>(...values: readonly [T, ...T[]]): () => T {
  let calls = 0
  return () => values[Math.min(calls++, values.length - 1)]!
}

function error(message: string, members: object = {}): Error {
  return Object.assign(new Error(message), members)
}

function failing(): never {
  throw new Error(`no ${secret}`)
}

/** Every location of a secret in a record that rules redact. */
export const rows: readonly Row[] = [
  // Nested objects.
  row('an alias of one object', { paths: ['*.pin'], ...pin }, (log) => {
    const card = { pin: secret }
    log.info('m', { a: card, b: card })
  }),
  row('a cycle', { paths: ['**.pin'], ...pin }, (log) => {
    const node: Record<string, unknown> = { pin: secret }
    node['self'] = { node, list: [node] }
    log.info('m', { node })
  }),
  row('a shared reference in a list', { paths: ['list[*].pin'], ...pin }, (log) => {
    const card = { pin: secret }
    log.info('m', { list: [card, card, { card: 1, pin: secret }] })
  }),
  row('twenty levels down', { paths: ['**.pin'], ...pin }, (log) => {
    let value: object = { pin: secret }
    for (let level = 0; level < 20; level++) value = { value }
    log.info('m', value)
  }),

  // Conversions of objects.
  row('a nested toJSON', { paths: ['a.b.pin'], ...pin }, (log) =>
    log.info('m', { a: { toJSON: () => ({ b: { toJSON: () => ({ pin: secret }) } }) } }),
  ),
  row('a toJSON with another result the second time', { paths: ['a.pin'], ...pin }, (log) => {
    const answer = changing<object>({ pin: secret }, { other: secret })
    log.info('{a} {a:json}', { a: { toJSON: answer } })
  }),
  row('a toJSON that logs', { paths: ['a.pin', 'pin'], ...pin }, (log) =>
    log.info('outer', {
      a: {
        toJSON: () => {
          log.info('inner {pin}', { pin: secret })
          return { pin: secret }
        },
      },
    }),
  ),
  row('a toJSON of all attributes', { paths: ['pin'], ...pin }, (log) =>
    log.info('{pin}', { toJSON: () => ({ pin: secret }) } as never),
  ),
  row('a Map', { paths: ['map.pin', 'map.deep.pin'], ...pin }, (log) =>
    log.info('m', {
      map: new Map<string, unknown>([
        ['pin', secret],
        ['deep', new Map([['pin', secret]])],
      ]),
    }),
  ),
  row('a Map with keys of all kinds', { paths: ['map.pin'], ...pin }, (log) =>
    log.info('m', {
      map: new Map<unknown, unknown>([
        [1, 2],
        ['pin', secret],
      ]),
    }),
  ),
  row('a Map for attributes', { paths: ['pin'], ...pin }, (log) =>
    log.info('{pin}', new Map([['pin', secret]]) as never),
  ),
  row('a Set', { paths: ['set[*].pin'], ...pin }, (log) => log.info('m', { set: new Set([{ pin: secret }]) })),
  row('a getter', { paths: ['a.pin'], ...pin }, (log) => {
    const read = changing(secret, 'nothing')
    log.info('{a:json}', {
      a: {
        get pin() {
          return read()
        },
      },
    })
  }),
  row('a getter that returns a secret the second time', { paths: ['pin', 'other.pin'], ...pin }, (log) => {
    const read = changing('nothing', secret)
    log.info(`{pin} {pin} ${secret.length}`, {
      get pin() {
        return read()
      },
      other: { pin: secret },
    })
    log.info('m', { pin: secret })
  }),
  row('a getter that throws the secret', { paths: ['a.pin', 'pin'], ...pin }, (log) => {
    const given = {
      get pin() {
        return failing()
      },
    }
    log.info('m', { a: given })
    log.info('{pin}', given)
  }),
  row('a class', { paths: ['account.pin'], ...pin }, (log) => log.info('{account}', { account: new Account() })),
  row('a proxy whose keys change', { paths: ['a.pin'], ...pin }, (log) => {
    const keys = changing(['other', 'pin'], ['pin', 'other'], ['pin'])
    log.info('m', { a: new Proxy({ pin: secret, other: 1 }, { ownKeys: keys }) })
  }),
  row('a proxy with another value the second time', { paths: ['a.pin'], ...pin }, (log) => {
    const read = changing<unknown>(secret, 'nothing')
    log.info('{a:json}', { a: new Proxy({ pin: 0 }, { get: (_, key) => (key === 'pin' ? read() : undefined) }) })
  }),
  row('a proxy that throws the secret', { pattern: [{ name: 'canary', pattern: /zqCanary7f3kXy/ }] }, (log) => {
    log.info('m', { a: new Proxy({}, { ownKeys: failing }) })
    log.info('m', new Proxy({}, { ownKeys: failing }))
  }),
  row('a String object, a symbol and the name of a function', { paths: ['*.pin'], ...pin }, (log) =>
    log.info('m', {
      a: { pin: Object(secret) as unknown },
      b: { pin: Symbol(secret) },
      c: { pin: Object.defineProperty(() => {}, 'name', { value: secret }) },
    }),
  ),
  row('the name of a class', {}, (log) =>
    log.info('m', {
      a: new {
        [secret]: class {
          on(): void {}
          pipe(): void {}
        },
      }[secret](),
    }),
  ),

  // Errors.
  row('an own member of an Error', { paths: ['err.pin', 'err.deep.pin', 'other.pin'], ...pin }, (log) => {
    log.error(error('m', { pin: secret, deep: { pin: secret } }))
    log.error('m', { other: error('m', { pin: secret }) })
  }),
  row('the message of an Error', { paths: ['err.message', 'other.message'], keys: ['message'] }, (log) => {
    log.error(error(secret))
    log.error(`failed: ${secret}`, error(secret))
    log.error('%s', error(secret))
    log.error('m', { other: error(secret) })
  }),
  row(
    'the message of an Error, by its name in the line',
    { paths: ['["exception.message"]'], keys: ['exception.message'] },
    (log) => {
      log.error(`failed: ${secret}`, error(secret))
      log.error(error(secret, { cause: error(`of ${secret}`) }))
    },
  ),
  row(
    'the name of an Error, by its name in the line',
    { paths: ['["exception.type"]'], keys: ['exception.type'] },
    (log) => log.error(error('m', { name: secret })),
  ),
  row('the name of an Error', { paths: ['err.name'], keys: ['name'] }, (log) =>
    log.error(error('m', { name: secret })),
  ),
  row('the stack of an Error', { paths: ['err.stack', 'other.stack'], keys: ['stack'] }, (log) => {
    const stack = `Error: m\n    at ${secret} (x.js:1:1)`
    log.error(error('m', { stack }))
    log.error('m', { other: error('m', { stack }) })
  }),
  row(
    'the stack of an Error, by its name in the line',
    { paths: ['["exception.stacktrace"]'], keys: ['exception.stacktrace'] },
    (log) =>
      log.error(
        error('m', {
          stack: `Error: m\n    at ${secret} (x.js:1:1)`,
          cause: error('x', { stack: `x\n    at ${secret} (x.js:1:1)` }),
        }),
      ),
  ),
  row(
    'an error message that was changed after the stack was created',
    { paths: ['err.message'], keys: ['message'] },
    (log) => log.error(Object.assign(error('public'), { message: secret })),
  ),
  row(
    'a cause',
    { paths: ['err.cause.message', 'err.cause.pin', 'err.cause.cause.pin'], keys: ['message', 'pin'] },
    (log) => {
      log.error(new Error('m', { cause: error(secret, { pin: secret, cause: { pin: secret } }) }))
    },
  ),
  row('a cause that is not an Error', { paths: ['err.cause.pin'], ...pin }, (log) =>
    log.error(new Error('m', { cause: { pin: secret } })),
  ),
  row('an AggregateError', { paths: ['err.errors'], keys: ['errors'] }, (log) =>
    log.error(new AggregateError([error(secret, { pin: secret }), { pin: secret }, secret], 'm')),
  ),
  row('a member of the errors of an AggregateError', { paths: ['err.errors[*].message'], keys: ['message'] }, (log) =>
    log.error(new AggregateError([error(secret)], `of ${secret}`)),
  ),
  row('the code of an Error', { paths: ['err.code'], keys: ['code'] }, (log) =>
    log.error(error('m', { code: secret })),
  ),

  // Messages.
  row('the text of a message', {}, (log) => log.info(`to ${secret}`)),
  row('a secret composed of a template and a value', {}, (log) => log.info('zqCan{rest}', { rest: secret.slice(5) })),
  row('a message with a prefix', {}, (log) => log.info(secret.slice(5)), { messagePrefix: secret.slice(0, 5) }),
  row('a template', { paths: ['pin', 'card.pin'], ...pin }, (log) =>
    log.info('{pin} {card} {card:json}', { pin: secret, card: { pin: secret } }),
  ),
  row('the secret as a placeholder name in a template', {}, (log) =>
    log.info(`{${secret}} {a:${secret}}`, { a: 1 } as never),
  ),
  row('printf', { paths: ['pin'], ...pin }, (log) => {
    const given = { pin: secret }
    log.info('%s %d %i %f %j %o %O %c %% %x', ...(Array.from({ length: 10 }, () => given) as never[]))
  }),
  row('a lazy message', { paths: ['pin'], ...pin }, (log) => log.info(() => ['{pin}', { pin: secret }])),
  row('a lazy message that throws the secret', {}, (log) => log.info(failing)),
  row('a body that is not a string', { paths: ['pin'], ...pin }, (log) =>
    log.info([{ pin: secret }, ['pin', secret]] as never),
  ),

  row(
    'extra arguments, by their path in the line',
    { paths: ['args[0].pin', 'args[*][0].pin', 'args[2].card.pin'], ...pin },
    (log) => log.info('m', { a: 1 }, { pin: secret }, [{ pin: secret }], { card: { pin: secret } }),
  ),
  row('all extra arguments', { paths: ['args'], keys: ['args'] }, (log) =>
    log.info('m', { a: 1 }, secret, [secret], { pin: secret }),
  ),
  row('extra arguments with an attribute named args', { paths: ['_args[*].pin'], ...pin }, (log) =>
    log.info('m', { args: 1 }, { pin: secret }),
  ),
  row('the items of a list that is the body', { paths: ['[*].pin', '*[*].pin'], ...pin }, (log) =>
    log.info([{ pin: secret }, [{ pin: secret }]] as never),
  ),
  row('a Set that is the body, by an index', { paths: ['[0].pin', '[1][0]'], pattern: false }, (log) =>
    log.info(new Set([{ pin: secret }, [secret]]) as never),
  ),
  row(
    'the type of an Error in an event',
    { paths: ['["error.type"]', 'err.name'], keys: ['error.type', 'name'] },
    (log) => defineEvent('failed', { level: 'error' })(log, {}, error('m', { name: secret })),
  ),

  // Sources other than the call.
  row('a child', { paths: ['pin', 'card.pin'], ...pin }, (log) =>
    log.child({ pin: secret, card: { pin: secret } }).info('{pin} {card:json}'),
  ),
  row('the context', { paths: ['pin'], ...pin }, (log) => withContext({ pin: secret }, () => log.info('{pin}'))),
  row('enrich', { paths: ['pin'], ...pin }, (log) => log.info('{pin}'), { enrich: () => ({ pin: secret }) }),
  row('baggage', { paths: ['pin'], ...pin }, (log) => log.child({}, { context: baggageContext }).info('{pin}'), {
    baggage: ['p*'],
  }),
  row('enrich that throws the secret', {}, (log) => log.info('m'), { enrich: failing }),
  row('the attributes of a logger', { paths: ['pin'], ...pin }, (log) => log.info('{pin}'), {
    attributes: { pin: secret },
  }),
  row('a serializer', { paths: ['user.pin'], ...pin }, (log) => log.info('{user}', { user: 1 }), {
    serializers: { user: () => ({ pin: secret }) },
  }),
  row(
    'a serializer that throws the secret',
    { paths: ['user'], keys: ['user'] },
    (log) => log.info('{user}', { user: 1 }),
    {
      serializers: { user: failing },
    },
  ),
  row('an event', { paths: ['pin'], ...pin }, (log) => defineEvent('paid')(log, { pin: secret })),
  row('the name of an event', {}, (log) => defineEvent(secret)(log)),
  row('the name of a level', {}, (log) => (log as unknown as Record<string, (text: string) => void>)[secret]!('m'), {
    levels: { [secret]: 10 },
  }),
  row('the scope', {}, (log) => log.info('m'), { name: `of ${secret}`, version: secret }),
  row('the resource', {}, (log) => log.info('m'), {
    resource: { 'service.name': secret, 'service.version': secret, [secret]: 'x', host: `h${secret}` },
  }),
  row('a name', {}, (log) => log.info('m', { [secret]: 1, [`x${secret}`]: { [secret]: new Map([[secret, 1]]) } })),
  row('a name of a child', {}, (log) => log.child({ [secret]: 1 }).info('m', { [secret]: 2 })),
  row('a name of an Error and a member of it', {}, (log) =>
    defineEvent('failed', { level: 'error' })(log, {}, error('m', { name: secret, [secret]: secret })),
  ),

  // HTTP.
  row('the query of a URL', credentials, (log) => {
    const url = `https://api.example.com/v1?page=2&access_token=${secret}&sig=${secret}#token=${secret}`
    log.info(`GET ${url}`, { url, parsed: new URL(url), query: new URL(url).searchParams })
    log.info('m', { req: { method: 'GET', url: `/v1?access_token=${secret}`, headers: {}, socket: {} } })
  }),
  row('the password of a URL', { always: true, ...credentials }, (log) => {
    log.info('{url}', { url: new URL(`https://me:${secret}@example.com/`), db: new URL(`jdbc:x://me:${secret}@db/`) })
    log.info('m', { req: { method: 'GET', url: `http://me:${secret}@host/`, headers: {}, socket: {} } })
  }),
  row('the password of a URL in a text', credentials, (log) => log.info(`to postgres://app:${secret}@db/shop`)),
  row('headers', { always: true, paths: ['headers.*', '*.*'], keys: ['authorization', 'cookie'] }, (log) => {
    const headers = { Authorization: secret, cookie: [secret] }
    log.info('m', { headers, deep: { list: [{ Headers: headers }], rawHeaders: headers, response_headers: headers } })
  }),
  row("koa's header, and the header text that Node stores", { always: true }, (log) => {
    const header = { authorization: secret, 'x-api-key': [secret] }
    log.info('%j', { ctx: { request: { header }, response: { header: { 'set-cookie': [secret] } } } }, { header })
    log.info('m', { request: { _header: `GET / HTTP/1.1\r\nCookie: ${secret}\r\n` } })
  }),
  row('WHATWG Headers', { always: true, keys: ['authorization'] }, (log) => {
    const headers = new Headers({ authorization: secret })
    log.info('%j', { a: headers, list: [headers] }, headers)
    log.info('{authorization}', headers as never)
    log.child(headers as never).info('m')
  }),
  row('pairs of headers', { always: true, paths: ['headers.Authorization'], keys: ['authorization'] }, (log) =>
    log.info('{headers:json}', {
      headers: [
        ['accept', 'x'],
        ['Authorization', secret],
      ],
    }),
  ),
  row('pairs of anything', { paths: ['pin', '*.pin'], ...pin }, (log) => {
    const list = Object.entries({ a: 1, pin: secret })
    log.info('%j', list, { list, set: new Set(list), map: { toJSON: () => list } })
    log.child({ list }).info('{list}')
  }),
  row('a flat list of headers', { always: true, paths: ['rawHeaders.Cookie'], keys: ['cookie'] }, (log) =>
    log.info('{rawHeaders}', { rawHeaders: ['Accept', 'x', 'Cookie', secret, 'Cookie', secret] }),
  ),
  row('an attribute of OpenTelemetry for a header', { always: true }, (log) =>
    log.info('m', {
      'http.request.header.authorization': [secret],
      span: { 'http.response.header.set-cookie': [secret], 'http.request.header.x_api_key': secret },
    }),
  ),
  row('a request and a response of fetch', { always: true, keys: ['authorization', 'set-cookie'] }, (log) => {
    const request = new Request('https://host/', { headers: { authorization: secret } })
    const response = new Response('x', { headers: { 'set-cookie': secret } })
    log.info('{req}', { req: request, res: response, other: request, more: [response] })
  }),

  // Bytes, and texts in texts.
  row('bytes', { paths: ['*'], keys: ['a', 'b', 'c', 'd'] }, (log) => {
    const bytes = Buffer.from(`x ${secret}`)
    const { buffer } = new Uint8Array(bytes)
    log.info('m', { a: bytes, b: new Uint8Array(bytes), c: buffer, d: new DataView(buffer) })
  }),
  row('the JSON form of bytes, and lists of bytes', { paths: ['*'], keys: ['a', 'b', 'c'] }, (log) => {
    const bytes = Buffer.from(`x ${secret}`)
    log.info('m', { a: bytes.toJSON(), b: [...bytes], c: [...bytes, ...Array<number>(2_000).fill(32)] })
  }),
  // The empty options exclude this row from the destination tests: with an SDK, patterns would see base64 in the message.
  row(
    'bytes in a message',
    { paths: ['*'], keys: ['a', 'b'] },
    (log) => log.info('{a} {b:json} %j', { a: Buffer.from(secret), b: new Uint8Array(Buffer.from(`x ${secret}`)) }),
    {},
  ),
  row('other typed arrays', { paths: ['a', 'b'], keys: ['a', 'b'], pattern: false }, (log) =>
    log.info('{a} {b}', { a: new Int8Array(Buffer.from(secret)), b: new Uint16Array(Buffer.from(secret)) }),
  ),
  row('JSON in a string', credentials, (log) => {
    const json = JSON.stringify({ user: 'Ann', password: secret })
    log.info(json, { a: json, b: JSON.stringify({ body: json }), c: JSON.stringify([JSON.stringify({ body: json })]) })
  }),

  // Truncated values.
  row('a message that is truncated', {}, (log) => log.info(often), {
    limits: { recordBytes: 1_024 },
  }),
  row('an attribute that is truncated', {}, (log) => log.info('m', { a: often, b: Buffer.from(often) }), {
    limits: { stringLength: 100 },
  }),
  row('an Error that is truncated', {}, (log) => log.error(error(often)), {
    limits: { recordBytes: 1_024, stackFrames: 1 },
  }),
  row('a long message of a thrown error', {}, (log) =>
    log.info('m', {
      get a() {
        throw new Error(`${'.'.repeat(250)}${secret}`)
      },
    }),
  ),
  row(
    'a string of more than a mebibyte',
    {},
    (log) => log.info('m', { a: `${'.'.repeat(1_048_570)}${secret}`.repeat(2) }),
    {
      limits: { recordBytes: 4 * 1_048_576 },
    },
  ),

  // Censor functions.
  row('a censor that returns the value', { pattern: [{ name: 'canary', pattern: /zqCanary7f3kXy/ }] }, (log) =>
    log.child({}, { redact: { paths: ['a'], censor: (value) => value } }).info('{a}', { a: secret, b: { a: secret } }),
  ),
  row('a censor that logs the secret', { paths: ['a'], keys: ['a'] }, (log) =>
    log
      .child({}, { redact: { paths: ['b'], censor: (value) => (log.info('m', { a: value }), 'X') } })
      .info('{b}', { b: secret }),
  ),
]

/** Secrets that are not part of a record, and are not written even without rules. */
export const neverWrittenRows: readonly Row[] = [
  row('a member with a symbol key', {}, (log) =>
    log.info('m', { [Symbol('pin')]: secret, a: { [Symbol.for('pin')]: secret } }),
  ),
  row('a private member', {}, (log) => {
    class Secret {
      readonly name = 'x'
      #pin = secret
      isRight(pin: string): boolean {
        return pin === this.#pin
      }
    }
    log.info('{a}', { a: new Secret() })
  }),
  row('a getter of a class', {}, (log) => {
    class Secret {
      get pin(): string {
        return secret
      }
    }
    log.info('{a}', { a: new Secret() })
  }),
  row('a member that is not enumerable', {}, (log) =>
    log.info('{a}', { a: Object.defineProperty({}, 'pin', { value: secret, enumerable: false }) }),
  ),
  row('a censor that throws the secret', {}, (log) =>
    log.child({}, { redact: { paths: ['a'], censor: failing } }).info('{a}', { a: secret }),
  ),
  row('a closure', {}, (log) => log.info('{a}', { a: () => secret })),
]
