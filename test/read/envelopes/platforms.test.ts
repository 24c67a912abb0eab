import { describe, expect, it } from '@jest/globals'
import { readBytes, recordIn } from '../lines/read-bytes.ts'

const inner = '{"level":50,"pid":7,"hostname":"h","msg":"failed \\"x\\""}'
const time = Date.parse('2026-11-21T09:56:03.123Z')

describe('the prefixes and envelopes of platforms', () => {
  // https://github.com/stern/stern#templates: the fields of a log as JSON.
  const stern = { nodeName: 'n1', namespace: 'default', podName: 'web-5d8', containerName: 'app' }
  // https://github.com/Unitech/pm2/blob/master/lib/API/Log.js (`jsonStream`), and lib/God/ForkMode.js (`log_type`).
  const pm2 = { timestamp: '2026-11-21T09:56:03.123Z', type: 'err', process_id: 0, app_name: 'shop' }

  it.each([
    ['stern -o json', inner, stern, { container: 'web-5d8/app', stream: undefined }, undefined],
    ['stern -o json with a line end', `${inner}\n`, stern, { container: 'web-5d8/app' }, undefined],
    ['pm2 logs --json', inner, pm2, { container: 'shop', stream: 'stderr' }, time],
    ['a log file of pm2 with the type json', `${inner}\n`, pm2, { container: 'shop', stream: 'stderr' }, time],
  ])('are removed from JSON in a message of %s', (_, message, rest, origin, expectedTime) => {
    const line = JSON.stringify({ message, ...rest })
    expect(recordIn(line)).toMatchObject({
      format: 'pino',
      level: 'error',
      message: 'failed "x"',
      time: expectedTime,
      origin,
    })
    const [first, second] = readBytes(`${line}\n${line}\n`)
    expect([first, second].map((item) => item!.raw.toString())).toEqual([`${line}\n`, `${line}\n`])
    expect(second!.origin.line).toBe(2)
  })

  it('leave other JSON in a message as it is', () => {
    expect(recordIn(JSON.stringify({ message: `${inner}\n${inner}\n`, ...pm2 }))).toMatchObject({
      format: 'json',
      message: `${inner}\n${inner}\n`,
    })
    expect(recordIn(JSON.stringify({ message: 'text', ...stern }))).toMatchObject({ message: 'text' })
    for (const rest of [{ app_name: 'x' }, { process_id: 1 }, { podName: 'x', containerName: 1 }, {}])
      expect(recordIn(JSON.stringify({ message: inner, ...rest }))).toMatchObject({ format: 'json', message: inner })
    expect(readBytes(JSON.stringify({ message: inner, ...pm2 }).slice(0, -1)).map(({ record }) => record)).toEqual([
      undefined,
    ])
  })

  // https://devcenter.heroku.com/articles/logging#log-format: `timestamp source[dyno]: message`.
  it('of Heroku are removed from JSON, logfmt and text', () => {
    const prefix = '2010-09-16T15:13:46.677023+00:00'
    expect(recordIn(`${prefix} app[web.1]: ${inner}`)).toMatchObject({
      format: 'pino',
      level: 'error',
      time: Date.parse('2010-09-16T15:13:46.677Z') + 0.023,
      origin: { container: 'web.1' },
    })
    expect(recordIn(`${prefix} app[web.1]: Processing PostController#list`)).toMatchObject({
      message: 'Processing PostController#list',
      timeUnixNano: 1_284_650_026_677_023_000n,
    })
    const router = recordIn(`${prefix} heroku[router]: at=info method=GET path="/posts" status=200 bytes=975`)
    expect(router).toMatchObject({ format: 'logfmt', origin: { container: 'router' } })
    expect(router.attributes.get('path')).toBe('/posts')
    const stack = ['Error: x', '    at f (a.js:1:1)'].map((line) => `${prefix} app[web.1]: ${line}\n`)
    expect(readBytes(`${prefix} app[web.1]: ${inner}\n${stack.join('')}`)).toHaveLength(1)
    expect(readBytes(`${prefix} other[web.1]: text`)[0]!.record).toBeUndefined()
  })

  // https://www.rsyslog.com/doc/configuration/templates.html: `RSYSLOG_FileFormat`, and the traditional one.
  it('of files of rsyslog are removed, also without the ID of a process', () => {
    const record = recordIn('2003-08-24T05:14:15.000003-07:00 mymachine kernel: usb 1-1: new device')
    expect(record).toMatchObject({
      format: 'syslog',
      message: 'usb 1-1: new device',
      timeUnixNano: 1_061_727_255_000_003_000n,
    })
    expect(Object.fromEntries(record.resource)).toEqual({ 'service.name': 'kernel', 'host.name': 'mymachine' })
    expect(recordIn(`2003-08-24T05:14:15.000003-07:00 mymachine app: ${inner}`)).toMatchObject({ level: 'error' })
    expect(recordIn('Nov 27 05:44:51 host app: text')).toMatchObject({ format: 'syslog', message: 'text' })
    expect(recordIn('2003-08-24T05:14:15.000003-07:00 ERROR app: failed')).toMatchObject({
      level: 'error',
      message: 'app: failed',
    })
    for (const text of ['2003-08-24T05:14:15Z my app: text', '2003-08-24 05:14:15.000003-07:00 my app: text'])
      expect(readBytes(text)[0]!.record).toBeUndefined()
  })
})
