import { describe, expect, it } from '@jest/globals'
import { recordIn, readBytes } from '../lines/read-bytes.ts'

const prefix = '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700]'

describe('readAccessLine', () => {
  // The examples in the documentation of Apache's mod_log_config.
  it('reads the common log format', () => {
    const record = recordIn(`${prefix} "GET /apache_pb.gif HTTP/1.0" 200 2326`)
    expect(record).toMatchObject({
      format: 'access',
      time: Date.parse('2000-10-10T20:55:36Z'),
      timeUnixNano: 971211336000000000n,
      level: 'info',
      severityText: undefined,
      message: 'GET /apache_pb.gif 200',
    })
    expect(Object.fromEntries(record.attributes)).toEqual({
      'http.request.method': 'GET',
      'url.path': '/apache_pb.gif',
      'network.protocol.version': '1.0',
      'http.response.status_code': 200,
      'http.response.body.size': 2326,
      'client.address': '127.0.0.1',
      'user.name': 'frank',
    })
  })

  it('reads the combined log format with further fields', () => {
    const { attributes, message, level } = recordIn(
      `::1 - - [10/Oct/2000:13:55:36 +0000] "POST /a?b=%20c HTTP/2.0" 404 - "http://x/\\"y" "Mozilla/4.08 [en] \\xc3\\xa9" 0.003 "-"`,
    )
    expect([message, level]).toEqual(['POST /a 404', 'warn'])
    expect(Object.fromEntries(attributes)).toEqual({
      'http.request.method': 'POST',
      'url.path': '/a',
      'url.query': 'b=%20c',
      'network.protocol.version': '2.0',
      'http.response.status_code': 404,
      'client.address': '::1',
      'http.request.header.referer': 'http://x/"y',
      'user_agent.original': 'Mozilla/4.08 [en] é',
      'access_log.rest': '0.003 "-"',
    })
  })

  it('reads a request line that is not HTTP', () => {
    const record = recordIn(`${prefix} "\\x16\\x03" 500 157 "-" "-"`)
    expect([record.message, record.level]).toEqual(['\u0016\u0003 500', 'error'])
    expect(record.attributes.has('http.request.method')).toBe(false)
    expect(recordIn(`${prefix} "-" 408 0`).message).toBe('- 408')
  })

  it.each([
    'see [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1',
    '127.0.0.1 - - [10/Oct/2000] "GET / HTTP/1.0" 200 1',
    '127.0.0.1 - - [10/Foo/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1',
    `${prefix} "GET / HTTP/1.0" ok 1`,
    `${prefix} GET / 200 1`,
  ])('reads %j as text', (line) => {
    expect(readBytes(line).map(({ record }) => record)).toEqual([undefined])
  })
})
