import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { readBytes, recordIn } from '../lines/read-bytes.ts'

describe('readSyslog', () => {
  // The examples of RFC 5424, section 6.5.
  it('reads a message of RFC 5424 without structured data', () => {
    const record = recordIn(
      "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \uFEFF'su root' failed for lonvick on /dev/pts/8",
    )
    expect(record).toMatchObject({
      format: 'syslog',
      level: 'critical',
      severityNumber: 18,
      time: Date.parse('2003-10-11T22:14:15.003Z'),
      message: "'su root' failed for lonvick on /dev/pts/8",
      origin: { container: 'su' },
    })
    expect(Object.fromEntries(record.attributes)).toEqual({ 'syslog.msgid': 'ID47', 'syslog.facility.code': 4 })
    expect(Object.fromEntries(record.resource)).toEqual({ 'service.name': 'su', 'host.name': 'mymachine.example.com' })
  })

  it('reads a message of RFC 5424 with structured data, a time zone and a process ID', () => {
    const record = recordIn(
      '<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - [exampleSDID@32473 iut="3" eventSource="App\\\\\\"\\]"][priority@32473 class="high"]',
    )
    expect(record).toMatchObject({ level: 'notice', timeUnixNano: 1061727255000003000n, message: '' })
    expect(Object.fromEntries(record.attributes)).toEqual({
      'exampleSDID@32473.iut': '3',
      'exampleSDID@32473.eventSource': 'App\\"]',
      'priority@32473.class': 'high',
      'syslog.facility.code': 20,
    })
    expect(record.resource.get('process.pid')).toBe(8710)
  })

  it('reads a message after its length, as in octet counting of RFC 6587', () => {
    expect(recordIn('28 <14>1 - - - - - - a message\n')).toMatchObject({
      level: 'info',
      message: 'a message',
      time: undefined,
    })
  })

  it('reads JSON in a message as the record', () => {
    const record = recordIn('<14>1 2003-10-11T22:14:15.003Z host app 1 - - {"level":"error","message":"inner"}')
    expect(record).toMatchObject({
      level: 'error',
      message: 'inner',
      time: 1065910455003,
      origin: { container: 'app', isApplication: true },
    })
    expect(Object.fromEntries(record.resource)).toEqual({
      'service.name': 'app',
      'host.name': 'host',
      'process.pid': 1,
    })
    const inside = recordIn('<14>1 2003-10-11T22:14:15Z h node 1 - - {"level":30,"pid":5,"msg":"x","hostname":"own"}')
    expect(Object.fromEntries(inside.resource)).toEqual({
      'service.name': 'node',
      'host.name': 'own',
      'process.pid': 5,
    })
    const container = recordIn('web-1  | {"level":30,"msg":"x","pid":1}')
    expect(container.origin).toMatchObject({ container: 'web-1', isApplication: false })
    expect(recordIn('<11>1 2003-10-11T22:14:15Z h a - - - @cee: {"msg":"x","a":1}')).toMatchObject({
      level: 'error',
      message: 'x',
    })
  })

  it.each(['<192>1 - - - - - - x', '<14>1 - - - - - [a x="1] y', '<14> text', '<14', '<a href="x">', '<!-- x -->'])(
    'reads %j as text',
    (line) => {
      expect(readBytes(line).map(({ record }) => record)).toEqual([undefined])
    },
  )

  describe('with a time without a year', () => {
    beforeEach(() => {
      jest.useFakeTimers({ now: new Date(2026, 0, 5, 12) })
    })
    afterEach(() => {
      jest.useRealTimers()
    })

    it('reads a message of RFC 3164', () => {
      expect(recordIn('<34>Jan  4 22:14:15 mymachine su[12]: failed')).toMatchObject({
        format: 'syslog',
        level: 'critical',
        time: new Date(2026, 0, 4, 22, 14, 15).getTime(),
        message: 'failed',
      })
    })

    it('uses the year before for a time that is more than a day in the future', () => {
      expect(recordIn('Dec 31 22:14:15 host app[12]: x').time).toBe(new Date(2025, 11, 31, 22, 14, 15).getTime())
      expect(recordIn('Jan  6 11:14:15 host app: x').time).toBe(new Date(2026, 0, 6, 11, 14, 15).getTime())
    })
  })
})
