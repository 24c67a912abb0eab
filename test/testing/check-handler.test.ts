import { describe, expect, test } from '@jest/globals'
import type { HandledRecord, Handler } from '../../src/handler/handler.ts'
import { checkHandler, type CheckHandlerOptions } from '../../src/testing/check-handler.ts'
import { thrower } from '../support/values/hostile.ts'

type Decorator = (next: Handler) => Handler
type Handle = (record: HandledRecord, next: Handler) => unknown

const each =
  (handle: Handle): Decorator =>
  (next) => ({ handle: (record) => handle(record, next) as void })

describe('a handler that keeps the contract has no problem', () => {
  test.each<[string, () => Decorator, CheckHandlerOptions?]>([
    ['hands on', () => each((record, next) => next.handle(record)), { passes: 'all' }],
    ['leaves out', () => each(() => {})],
    [
      'filters by attributes',
      () => each((record, next) => record.attributes?.['path'] !== '/health' && next.handle(record)),
    ],
    [
      'samples',
      () => {
        let count = 0
        return each((record, next) => (record.level !== 'debug' || count++ % 10 === 0) && next.handle(record))
      },
    ],
    [
      'changes what it may',
      () =>
        each((record, next) => {
          record.level = 'notice' as 'info'
          record.body = `${record.severity}: ${typeof record.body}`
          record.attributes = { ...record.attributes, requestId: record.bound.get('requestId'), span: record.span }
          next.handle(record)
        }),
      { passes: 'all', levels: { notice: 10 } },
    ],
    [
      'marks what it is at, and cleans up behind itself',
      () => {
        let depth = 0
        return each((record, next) => {
          depth++
          try {
            next.handle(record)
          } finally {
            depth--
          }
        })
      },
      { passes: 'all' },
    ],
    [
      'is composed of several',
      () => (next) => each((record, own) => own.handle(record))(each((record, own) => own.handle(record))(next)),
      { passes: 'all' },
    ],
  ])('%s', async (_, make, options = {}) => {
    expect(await checkHandler(make, options)).toEqual([])
  })
})

test('each case has a handler of its own', async () => {
  let made = 0
  let decorated = 0
  await checkHandler(() => {
    made++
    return (next) => {
      decorated++
      return next
    }
  })
  // One case has two loggers.
  expect(decorated).toBe(made + 1)
})

test.each<[string, unknown, string]>([
  ['a function that throws', thrower, 'threw Error: no when it was made'],
  ['a function that returns nothing', () => undefined, 'returned no handler'],
  ['a handler itself', { handle: () => {} }, expect.stringMatching(/^threw TypeError/) as unknown as string],
])('%s cannot be given records, which is all that is told', async (_, decorator, message) => {
  expect(await checkHandler(() => decorator as Decorator)).toEqual([
    { rule: 'is a function that returns an object with a function `handle`', message },
  ])
})

test('what `make` throws rejects the promise', async () => {
  await expect(checkHandler(thrower)).rejects.toThrow('no')
})

describe('it is found when a handler', () => {
  test.each<[string, () => Decorator, string | RegExp, CheckHandlerOptions?]>([
    [
      'hands on twice',
      () =>
        each((record, next) => {
          next.handle(record)
          next.handle(record)
        }),
      'handed a record on 2 times',
    ],
    [
      'leaves out what it says it hands on',
      () => each((record, next) => record.level !== 'warn' && next.handle(record)),
      'left out a record of level warn',
      { passes: 'all' },
    ],
    [
      'forgets some of many',
      () => {
        let count = 0
        return each((record, next) => count++ < 100 && next.handle(record))
      },
      /^left out /,
      { passes: 'all' },
    ],
    [
      'hands on a copy',
      () => each((record, next) => next.handle({ ...record, level: 'error' })),
      'handed on something else than the record that it was given',
    ],
    [
      'hands on nothing',
      () => each((_, next) => next.handle(undefined as never)),
      'handed on something else than the record that it was given',
    ],
    [
      'waits',
      () => each((record, next) => Promise.resolve().then(() => next.handle(record))),
      'handed a record on that it had at another time, or from another logger',
    ],
    [
      'promises',
      () => each(async (record, next) => next.handle(record)),
      'handle returned a promise, for which nobody waits',
    ],
    ['rejects', () => each(async () => thrower()), 'handle rejected with Error: no'],
    [
      'hands on in a timer',
      () => each((record, next) => void setTimeout(() => next.handle(record), 5)),
      'handed a record on that it had at another time, or from another logger',
    ],
    [
      'hands on the record before, when the next one comes',
      () => {
        let before: HandledRecord | undefined
        return each((record, next) => {
          if (before !== undefined) next.handle(before)
          before = record
        })
      },
      'handed a record on that it had at another time, or from another logger',
    ],
    [
      'keeps records until there are some',
      () => {
        let kept: HandledRecord[] = []
        return each((record, next) => {
          next.handle(record)
          if (kept.push(record) < 100) return
          for (const { body } of kept) String(body)
          kept = []
        })
      },
      'body of a record was read after handle had returned',
    ],
    [
      'reads a record later',
      () =>
        each((record, next) => {
          next.handle(record)
          queueMicrotask(() => record.attributes)
        }),
      'attributes of a record was read after handle had returned',
    ],
    [
      'sets something later',
      () =>
        each((record, next) => {
          next.handle(record)
          setImmediate(() => (record.level = 'error'))
        }),
      'level of a record was set after handle had returned',
    ],
    ['throws', () => each(thrower), 'handle threw Error: no'],
    [
      'takes every message for text',
      () => each((record, next) => !(record.body as string).startsWith('GET') && next.handle(record)),
      /^handle threw TypeError: /,
    ],
    [
      'takes an attribute for text',
      () =>
        each(
          (record, next) =>
            !((record.attributes?.['path'] as string | undefined) ?? '').startsWith('/health') && next.handle(record),
        ),
      /^handle threw TypeError: .*startsWith is not a function/,
    ],
    [
      'takes for granted that there are attributes',
      () => each((record, next) => record.attributes!['path'] !== '/health' && next.handle(record)),
      /^handle threw TypeError: /,
    ],
    [
      'takes attributes for JSON',
      () =>
        each((record, next) => {
          if (!JSON.stringify(record.attributes ?? {}).includes('/health')) next.handle(record)
        }),
      /^handle threw TypeError: .*circular/,
    ],
    [
      'sets a level that there is not',
      () =>
        each((record, next) => {
          record.level = 'notice' as 'info'
          next.handle(record)
        }),
      /^handle threw TypeError: a handler set a level that there is not/,
    ],
    [
      'sets what cannot be set',
      () => each((record, next) => next.handle(Object.assign(record, { severity: 17 }))),
      /^handle threw TypeError: .*severity/,
    ],
    [
      'adds to the attributes of the caller',
      () =>
        each((record, next) => {
          if (record.body === 'order {id} placed') Object.assign(record.attributes!, { region: 'eu' })
          next.handle(record)
        }),
      'changed the attributes of a template',
    ],
    [
      'changes what stands deep inside of them',
      () =>
        each((record, next) => {
          const { user } = (record.attributes ?? {}) as { user?: { roles?: string[] } }
          user?.roles?.push('x')
          next.handle(record)
        }),
      'changed the attributes of a record of level trace',
    ],
    [
      'changes them later',
      () =>
        each((record, next) => {
          const { attributes } = record
          next.handle(record)
          if (record.body === 'order {id} placed') setImmediate(() => Reflect.set(attributes!, 'late', 1))
        }),
      'changed the attributes of a template',
    ],
    [
      'changes the exception',
      () =>
        each((record, next) => {
          if (record.exception instanceof Error) record.exception.message = 'hidden'
          next.handle(record)
        }),
      'changed the exception of an Error',
    ],
    [
      'changes a message that is an object',
      () =>
        each((record, next) => {
          if (typeof record.body === 'object') Reflect.set(Object(record.body), 'own', 1)
          next.handle(record)
        }),
      'changed the body of a message that is an object',
    ],
    [
      'is shut while it hands on',
      () => {
        let busy = false
        return each((record, next) => {
          if (busy) return
          busy = true
          try {
            next.handle(record)
          } finally {
            busy = false
          }
        })
      },
      'left out a record of level trace',
      { passes: 'all' },
    ],
    [
      'has one place for the record at hand',
      () => {
        let current: HandledRecord
        return each((record, next) => {
          current = record
          next.handle(current)
          current.body = 'done'
        })
      },
      'body of a record was set after handle had returned',
    ],
    [
      'stays shut when something was thrown',
      () => {
        let depth = 0
        return each((record, next) => {
          if (depth > 1) return
          depth++
          next.handle(record)
          depth--
        })
      },
      /^left out /,
      { passes: 'all' },
    ],
    [
      'knows one logger only',
      () => {
        let only: Handler | undefined
        return (next) => {
          only = next
          return { handle: (record) => only!.handle(record) }
        }
      },
      'handed a record on that it had at another time, or from another logger',
    ],
  ])('%s', async (_, make, message, options = {}) => {
    const problems = await checkHandler(make, options)
    const said = problems.filter((problem) =>
      typeof message === 'string' ? problem.message === message : message.test(problem.message),
    )
    expect(said).not.toEqual([])
  })
})
