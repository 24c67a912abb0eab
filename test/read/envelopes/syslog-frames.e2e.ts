import { expect } from '@jest/globals'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { needs } from '../../support/needs.ts'
import { readBytes, textOf } from '../lines/read-bytes.ts'

const hasOctetCount = String(spawnSync('logger', ['--help']).stdout).includes('--octet-count')
const testLogger = needs('logger of util-linux', hasOctetCount)

/** Returns what `logger` sends of lines over TCP, with the length in front of each message. */
async function sentBytes(lines: readonly string[], options: readonly string[]): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connected = once(server, 'connection')
  const port = String((server.address() as AddressInfo).port)
  const target = ['--octet-count', '--tcp', '--server', '127.0.0.1', '--port', port]
  const child = spawn('logger', [...target, '--tag', 'shop', '--id=4242', '--priority', 'daemon.warning', ...options])
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  const [socket] = (await connected) as [Socket]
  const bytes = await buffer(socket)
  server.close()
  return bytes
}

const lines = ['payment failed', 'grüße 😀', '{"level":50,"time":1795254963123,"msg":"of pino"}', 'last']

testLogger.each([['--rfc5424'], ['--rfc3164']])(
  'messages that logger sends with %s and octet counting are read, of which none ends a line',
  async (option) => {
    const bytes = await sentBytes(lines, [option])
    expect(bytes.includes('\n')).toBe(false)
    const items = readBytes(bytes)
    expect(items.map(({ record }) => [record?.format, record?.level, record?.message])).toEqual([
      ['syslog', 'warn', 'payment failed'],
      ['syslog', 'warn', 'grüße 😀'],
      ['pino', 'error', 'of pino'],
      ['syslog', 'warn', 'last'],
    ])
    expect(items.map(textOf).join('')).toBe(bytes.toString())
    for (const { record, origin } of items) {
      expect(origin.container).toBe('shop')
      expect(Math.abs(record!.time! - Date.now()) < 120_000 || record!.time === 1_795_254_963_123).toBe(true)
    }
  },
)
