import { afterAll, expect } from '@jest/globals'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { needs } from '../support/needs.ts'
import { createConsumer, root } from '../support/types/consumer.ts'

const withBuild = needs('a build (npm run build)', existsSync(join(root, 'dist/esm/index.d.ts')))
const consumer = createConsumer()

afterAll(() => consumer[Symbol.dispose]())

const program = `import { createLogger, defineEvent } from 'sluice'
const log = createLogger({ levels: { notice: 10 } })
const typed = createLogger({ types: {} as { attributes: { tenant: string; count?: number } } })
const attributes = { orderId: '', total: 1 }
`

/** Mistakes, and the last line of the compiler's message about each. */
const mistakes: readonly (readonly [what: string, code: string, message: string])[] = [
  [
    'a misspelled attribute',
    "log.info('user {userId} in', { userID: 1 })",
    "Property 'userId' is missing in type '{ userID: number; }' but required in type '{ readonly userId: unknown; }'.",
  ],
  [
    'an attribute that a variable does not have',
    "log.info('user {userId} in', attributes)",
    "Property 'userId' is missing in type '{ orderId: string; total: number; }' but required in type '{ readonly userId: unknown; }'.",
  ],
  [
    'a missing attribute in addition to those that the child adds',
    "log.child({ orderId: 7 }).info('order {orderId} took {ms}', { took: 3 })",
    "Property 'ms' is missing in type '{ took: number; }' but required in type '{ readonly ms: unknown; }'.",
  ],
  [
    'a missing attribute at a custom level',
    "log.notice('user {userId} in', { user: 1 })",
    "Property 'userId' is missing in type '{ user: number; }' but required in type '{ readonly userId: unknown; }'.",
  ],
  [
    'two objects',
    'log.info({ a: 1 }, { b: 2 })',
    "Argument of type '{ b: number; }' is not assignable to parameter of type 'string'.",
  ],
  [
    'a misspelled declared attribute after a message',
    "typed.info('x', { tenants: 'a' })",
    "Object literal may only specify known properties, but 'tenants' does not exist in type '{ tenant: string; count?: number | undefined; }'. Did you mean to write 'tenant'?",
  ],
  [
    'a misspelled declared attribute before a message',
    "typed.info({ tenants: 'a' }, 'x')",
    "Object literal may only specify known properties, but 'tenants' does not exist in type '{ tenant: string; count?: number | undefined; }'. Did you mean to write 'tenant'?",
  ],
  [
    'a declared attribute of the wrong type after a message',
    "typed.info('x', { tenant: 5 })",
    "Type 'number' is not assignable to type 'string'.",
  ],
  [
    'a declared attribute of the wrong type before a message',
    "typed.info({ tenant: 5 }, 'x')",
    "Type 'number' is not assignable to type 'string'.",
  ],
  [
    'an event message that inserts an attribute that the event does not have',
    "defineEvent('order.placed', { types: {} as { attributes: { orderId: string } }, message: 'order {id} placed' })",
    `Type '"order {id} placed"' is not assignable to type '"{id} is not an attribute of the event's types"'.`,
  ],
  [
    'an unknown level',
    "createLogger({ level: 'inform' })",
    `Type '"inform"' is not assignable to type 'LevelName<never> | undefined'. Did you mean '"info"'?`,
  ],
  [
    'a misspelled custom level',
    "createLogger({ levels: { notice: 10 }, level: 'notices' })",
    `Type '"notices"' is not assignable to type 'LevelName<"notice"> | undefined'. Did you mean '"notice"'?`,
  ],
]

withBuild('the compiler names the mistake in each wrong call, in the last line of its message', () => {
  const lines = program.split('\n').length - 1
  const output = consumer.compile(program + mistakes.map(([, code]) => code).join('\n'))
  const messages = mistakes.map(([what], index) => [what, lastLineOf(output, lines + index + 1)])
  expect(messages).toEqual(mistakes.map(([what, , message]) => [what, message]))
})

/** Returns the last line of the message about a line of the program. */
function lastLineOf(output: string, line: number): string | undefined {
  const message = output.split(/\n(?=\S)/).find((each) => each.startsWith(`program.mts(${line},`))
  return message
    ?.split('\n')
    .findLast((each) => each.trim() !== '')
    ?.replace(/^.*error TS\d+: /, '')
    .trim()
}
