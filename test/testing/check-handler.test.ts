import { describe, expect, test } from '@jest/globals'
import type { CreateHandler, HandledRecord, Handler, HandlerHost } from '../../src/handler/handler.ts'
import { budget } from '../../src/handlers/budget.ts'
import { compose } from '../../src/handlers/compose.ts'
import { dedupe } from '../../src/handlers/dedupe.ts'
import { limit } from '../../src/handlers/limit.ts'
import { route } from '../../src/handlers/route.ts'
import { sampleByTrace } from '../../src/handlers/sample-by-trace.ts'
import { tee } from '../../src/handlers/tee.ts'
import { checkHandler, type CheckHandlerOptions } from '../../src/testing/check-handler.ts'
import { thrower } from '../support/values/hostile.ts'

type WrapHandler = CreateHandler
type Handle = (record: HandledRecord, next: Handler, host: HandlerHost) => unknown

const each =
  (handle: Handle): WrapHandler =>
  (next, host) => ({ handle: (record) => handle(record, next, host) as void })

/** Creates a handler that drops every record, and uses its host. */
const using =
  (use: (host: HandlerHost, next: Handler) => void): WrapHandler =>
  (next, host) => {
    use(host, next)
    return { handle() {} }
  }

describe('valid handlers', () => {
  test.each<[string, () => WrapHandler, CheckHandlerOptions?]>([
    ['passes every record on', () => each((record, next) => next.handle(record)), { passes: 'all' }],
    ['drops every record', () => each(() => {})],
    [
      'filters by attributes',
      () => each((record, next) => record.attributes?.['path'] !== '/health' && next.handle(record)),
    ],
    [
      'samples records',
      () => {
        let count = 0
        return each((record, next) => (record.level !== 'debug' || count++ % 10 === 0) && next.handle(record))
      },
    ],
    [
      'changes the writable members of a record',
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
      'tracks the current record and resets its state in finally',
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
      'is composed of several handlers',
      () =>
        compose(
          each((record, own) => own.handle(record)),
          each((record, own) => own.handle(record)),
        ),
      { passes: 'all' },
    ],
    ['is limit', () => limit({ first: 1, thereafter: 3, maxKeys: 3, keepLevel: 'silent' })],
    ['is dedupe', () => dedupe({ maxKeys: 3 })],
    ['is sampleByTrace', () => sampleByTrace(0.5)],
    ['is budget', () => budget({ bytesPerSecond: 1_000, keepLevel: 'silent' })],
    ['is route', () => route((record) => record.level, { info: dedupe(), error: limit({ first: 1 }) })],
    [
      'is tee',
      () =>
        tee(
          dedupe(),
          each((record, next) => next.handle(record)),
        ),
      { passes: 'all' },
    ],
    [
      'is composed of all',
      () => compose(dedupe(), limit({ first: 2 }), sampleByTrace(0.5), budget({ bytesPerSecond: 100 })),
    ],
    [
      'counts records and reports them later',
      () => (next, host) => {
        let count = 0
        const report = () => {
          if (count > 0)
            host.emit({ level: 'debug', body: '{count} records', attributes: { count }, eventName: 'n' }, next)
          count = 0
        }
        host.onFlush(report)
        host.delay(1_000, report)
        return {
          handle(record) {
            count++
            host.filter(record, 'counted')
          },
        }
      },
    ],
  ])('a handler that %s has no violations', async (_, make, options = {}) => {
    expect(await checkHandler(make, options)).toEqual([])
  })
})

test('checkHandler creates a handler for each case', async () => {
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
  ['a function that throws', thrower, 'threw Error: no when it was called with the next handler'],
  ['a function that returns nothing', () => undefined, 'did not return a handler'],
  ['a handler object', { handle: () => {} }, expect.stringMatching(/^threw TypeError/) as unknown as string],
])(
  'a wrapHandler that is %s has only one violation, because it cannot receive records',
  async (_, wrapHandler, message) => {
    expect(await checkHandler(() => wrapHandler as WrapHandler)).toEqual([
      { rule: 'is a function that returns an object with a function `handle`', message },
    ])
  },
)

test('checkHandler rejects with an error thrown by `make`', async () => {
  await expect(checkHandler(thrower)).rejects.toThrow('no')
})

describe('contract violations', () => {
  test.each<[string, () => WrapHandler, string | RegExp, CheckHandlerOptions?]>([
    [
      'passes a record on twice',
      () =>
        each((record, next) => {
          next.handle(record)
          next.handle(record)
        }),
      'passed on a record 2 times',
    ],
    [
      'drops a record although it declares that it passes all',
      () => each((record, next) => record.level !== 'warn' && next.handle(record)),
      'omitted a record of level warn',
      { passes: 'all' },
    ],
    [
      'drops some of many records',
      () => {
        let count = 0
        return each((record, next) => count++ < 100 && next.handle(record))
      },
      /^omitted /,
      { passes: 'all' },
    ],
    [
      'passes on a copy of the record',
      () => each((record, next) => next.handle({ ...record, level: 'error' })),
      'passed on another object than the record that it received',
    ],
    [
      'passes on undefined',
      () => each((_, next) => next.handle(undefined as never)),
      'passed on another object than the record that it received',
    ],
    [
      'passes a record on asynchronously',
      () => each((record, next) => Promise.resolve().then(() => next.handle(record))),
      'passed on a record of an earlier call or of another logger',
    ],
    [
      'returns a promise',
      () => each(async (record, next) => next.handle(record)),
      'handle returned a promise, but must be synchronous',
    ],
    ['returns a promise that rejects', () => each(async () => thrower()), 'handle rejected with Error: no'],
    [
      'passes a record on in a timer',
      () => each((record, next) => void setTimeout(() => next.handle(record), 5)),
      'passed on a record of an earlier call or of another logger',
    ],
    [
      'passes the previous record on with the next one',
      () => {
        let before: HandledRecord | undefined
        return each((record, next) => {
          if (before !== undefined) next.handle(before)
          before = record
        })
      },
      'passed on a record of an earlier call or of another logger',
    ],
    [
      'reads retained records in a later call',
      () => {
        let kept: HandledRecord[] = []
        return each((record, next) => {
          next.handle(record)
          if (kept.push(record) < 100) return
          for (const { body } of kept) String(body)
          kept = []
        })
      },
      'body of a record was read after handle returned',
    ],
    [
      'reads a record in a microtask',
      () =>
        each((record, next) => {
          next.handle(record)
          queueMicrotask(() => record.attributes)
        }),
      'attributes of a record was read after handle returned',
    ],
    [
      'sets a member of a record asynchronously',
      () =>
        each((record, next) => {
          next.handle(record)
          setImmediate(() => (record.level = 'error'))
        }),
      'level of a record was set after handle returned',
    ],
    ['throws', () => each(thrower), 'handle threw Error: no'],
    [
      'assumes that every message is a string',
      () => each((record, next) => !(record.body as string).startsWith('GET') && next.handle(record)),
      /^handle threw TypeError: /,
    ],
    [
      'assumes that an attribute is a string',
      () =>
        each(
          (record, next) =>
            !((record.attributes?.['path'] as string | undefined) ?? '').startsWith('/health') && next.handle(record),
        ),
      /^handle threw TypeError: .*startsWith is not a function/,
    ],
    [
      'assumes that a record has attributes',
      () => each((record, next) => record.attributes!['path'] !== '/health' && next.handle(record)),
      /^handle threw TypeError: /,
    ],
    [
      'assumes that attributes can be serialized as JSON',
      () =>
        each((record, next) => {
          if (!JSON.stringify(record.attributes ?? {}).includes('/health')) next.handle(record)
        }),
      /^handle threw TypeError: .*circular/,
    ],
    [
      'sets an unknown level',
      () =>
        each((record, next) => {
          record.level = 'notice' as 'info'
          next.handle(record)
        }),
      /^handle threw TypeError: the handler set an unknown level/,
    ],
    [
      'sets a read-only member',
      () => each((record, next) => next.handle(Object.assign(record, { severity: 17 }))),
      /^handle threw TypeError: .*severity/,
    ],
    [
      'adds to the attributes object of the caller',
      () =>
        each((record, next) => {
          if (record.body === 'order {id} placed') Object.assign(record.attributes!, { region: 'eu' })
          next.handle(record)
        }),
      'changed the attributes of a template',
    ],
    [
      'changes a nested value of the attributes',
      () =>
        each((record, next) => {
          const { user } = (record.attributes ?? {}) as { user?: { roles?: string[] } }
          user?.roles?.push('x')
          next.handle(record)
        }),
      'changed the attributes of a record of level trace',
    ],
    [
      'changes the attributes asynchronously',
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
      'drops nested records while it passes one on',
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
      'omitted a record of level trace',
      { passes: 'all' },
    ],
    [
      'overwrites its current record in a nested call',
      () => {
        let current: HandledRecord
        return each((record, next) => {
          current = record
          next.handle(current)
          current.body = 'done'
        })
      },
      'body of a record was set after handle returned',
    ],
    [
      'keeps its state when a nested call throws',
      () => {
        let depth = 0
        return each((record, next) => {
          if (depth > 1) return
          depth++
          next.handle(record)
          depth--
        })
      },
      /^omitted /,
      { passes: 'all' },
    ],
    [
      'emits an unknown level',
      () => each((_, next, host) => host.emit({ level: 'loud' as 'info' }, next)),
      'emitted a record with an unknown level',
    ],
    [
      'emits attributes that are a string',
      () => each((_, next, host) => host.emit({ attributes: 'a' as never }, next)),
      'emitted attributes that are not an object',
    ],
    [
      'emits an event name that is a number',
      () => each((_, next, host) => host.emit({ eventName: 1 as never }, next)),
      'emitted an event name that is not a text',
    ],
    [
      'emits a record of an unknown origin',
      () => each((_, next, host) => host.emit({ origin: { loggerName: 'x' } }, next)),
      'emitted a record with an origin of another host',
    ],
    [
      'emits without the next handler',
      () => each((_record, _next, host) => host.emit({}, undefined as never)),
      'emitted a record without passing the next handler',
    ],
    [
      'emits a record for each record that it emits',
      () => (_next, host) => {
        const own: Handler = { handle: () => host.emit({}, own) }
        return own
      },
      'emitted records without end',
    ],
    [
      'emits records at each flush',
      () => using((host, next) => host.onFlush(() => host.emit({}, next))),
      'emitted records at a second flush',
    ],
    ['throws at a flush', () => using((host) => host.onFlush(thrower)), /^a function of onFlush threw Error: no/],
    ['throws in a timer', () => using((host) => host.delay(10, thrower)), /^a function of delay threw Error: no/],
    [
      'has an asynchronous flush',
      () => using((host) => host.onFlush(async () => {})),
      'a function of onFlush returned a promise, but must be synchronous',
    ],
    [
      'requests a delay of NaN',
      () => using((host) => host.delay(NaN, () => {})),
      /^requested a delay that is not a number/,
    ],
    [
      'gives a reason too late',
      () => (_next, host) => {
        let last: HandledRecord | undefined
        host.onFlush(() => last && host.filter(last, 'late'))
        return { handle: (record) => void (last = record) }
      },
      'gave a reason for a record that it does not handle',
    ],
    [
      'gives a reason that is an object',
      () => each((record, _next, host) => host.filter(record, {} as never)),
      'gave a reason that is not a text',
    ],
    [
      'gives a counter without a count',
      () => each((record, _next, host) => host.filter(record, 'full', {} as never)),
      'gave a counter whose count is not a number',
    ],
    [
      'gives a counter that is frozen',
      () => each((record, _next, host) => host.filter(record, 'full', Object.freeze({ count: 0 }))),
      'gave a counter whose count cannot be set',
    ],
    [
      'requests an origin too late',
      () => (_next, host) => {
        let last: HandledRecord | undefined
        host.onFlush(() => last && host.originOf(last))
        return { handle: (record) => void (last = record) }
      },
      'requested the origin of a record that it does not handle',
    ],
    [
      'passes a record on in a timer',
      () => each((record, next, host) => void host.delay(1, () => next.handle(record))),
      'passed on a record of an earlier call or of another logger',
    ],
    [
      'throws when the clock jumps backwards',
      () => {
        let lastTime = 0
        return each((record) => {
          if (record.time < lastTime) throw new Error('time')
          lastTime = record.time
        })
      },
      'handle threw Error: time',
    ],
    [
      'passes all records to the last logger',
      () => {
        let only: Handler | undefined
        return (next) => {
          only = next
          return { handle: (record) => only!.handle(record) }
        }
      },
      'passed on a record of an earlier call or of another logger',
    ],
  ])('checkHandler reports a violation when a handler %s', async (_, make, message, options = {}) => {
    const problems = await checkHandler(make, options)
    const matching = problems.filter((problem) =>
      typeof message === 'string' ? problem.message === message : message.test(problem.message),
    )
    expect(matching).not.toEqual([])
  })
})
