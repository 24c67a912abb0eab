import { afterAll, beforeAll, expect } from '@jest/globals'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { needs } from '../support/needs.ts'
import { createConsumer, root } from '../support/types/consumer.ts'
import { startLanguageServer, type LanguageServer } from '../support/types/language-server.ts'

const withBuild = needs('a build (npm run build)', existsSync(join(root, 'dist/esm/index.d.ts')))
const consumer = createConsumer()
let server: LanguageServer

beforeAll(async () => {
  server = await startLanguageServer(consumer.folder)
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  consumer[Symbol.dispose]()
})

const program = `import { createLogger, defineEvent } from 'sluice'
const log = createLogger({ levels: { notice: 10 } })
const typed = createLogger({ types: {} as { attributes: { tenant: string; count?: number } } })
const placed = defineEvent('order.placed', { types: {} as { attributes: { orderId: string } } })
`
const levels = ['debug', 'error', 'fatal', 'info', 'silent', 'trace', 'warn']
const withNotice = ['debug', 'error', 'fatal', 'info', 'notice', 'silent', 'trace', 'warn']
const declared = ['tenant', 'count?']

const cases: readonly (readonly [what: string, code: string, expected: readonly string[]])[] = [
  ['the names in a message', "log.info('user {userId} in', { | })", ['userId']],
  ['the missing names in a message', "log.info('user {userId} of {tenant}', { tenant: 'a', | })", ['userId']],
  [
    'the names in a message that the child does not add',
    "log.child({ orderId: 1 }).info('{orderId} {userId}', { | })",
    ['userId'],
  ],
  ['the declared attributes after a message', "typed.info('x', { | })", declared],
  ['the declared attributes before a message', "typed.info({ | }, 'x')", declared],
  ['the declared attributes alone', 'typed.info({ | })', declared],
  ['the attributes of an event', 'placed(log, { | })', ['orderId']],
  ['the levels of a logger', "createLogger({ level: '|' })", levels],
  ['the custom levels of a logger', "createLogger({ levels: { notice: 10 }, level: '|' })", withNotice],
  ['the levels of a child', "log.child({}, { level: '|' })", withNotice],
  ['the levels to set', "log.level = '|'", withNotice],
  ['what the keys of a flight recorder can be', "createLogger({ recorder: { by: '|' } })", ['request', 'trace']],
  ['the levels to test', "log.isLevelEnabled('|')", withNotice],
]

withBuild.each(cases)('an editor suggests %s', async (_, code, expected) => {
  expect((await server.completions(program + code)).toSorted()).toEqual(expected.toSorted())
})
