import { describe, expect, it } from '@jest/globals'
import { generateKeyPairSync } from 'node:crypto'
import { outputFormats, type OutputFormat } from '../../src/output/output.ts'
import { RecordReader } from '../../src/read/lines/record-reader.ts'
import { dockerLine } from '../read/lines/mixed-stream.ts'
import { bytesWritten } from './written.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
/** The lines of private keys in the forms that programs write. */
const keys: Readonly<Record<string, readonly string[]>> = {
  'PKCS #8': linesOf(rsa.export({ type: 'pkcs8', format: 'pem' })),
  'PKCS #1, encrypted': linesOf(
    rsa.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }),
  ),
  'an elliptic curve': linesOf(
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }),
  ),
}

function linesOf(pem: string | Buffer): string[] {
  return String(pem).trimEnd().split('\n')
}

/** The forms in which a line of a container is collected, for the container `a` or `b`. */
const envelopes: Readonly<Record<string, (line: string, container: 'a' | 'b') => string>> = {
  'docker json-file': (line, container) => dockerLine(`${line}\n`, container === 'a' ? 'stdout' : 'stderr'),
  CRI: (line, container) => `2016-10-06T00:17:09.669794202Z ${container === 'a' ? 'stdout' : 'stderr'} F ${line}`,
  'docker compose': (line, container) => `${container}-1  | ${line}`,
  'colored docker compose': (line, container) => `\u001B[36m${container}-1  | \u001B[0m${line}`,
  stern: (line, container) => `\u001B[32mpod-${container}\u001B[0m \u001B[34mapp\u001B[0m ${line}`,
  kubectl: (line, container) => `[pod/${container}/app] ${line}`,
  'syslog of RFC 5424': (line, container) => `<14>1 2003-10-11T22:14:15Z host ${container} 1 - - ${line}`,
  'journalctl -o json': (line, container) =>
    JSON.stringify({ __REALTIME_TIMESTAMP: '1795254963123456', _SYSTEMD_UNIT: container, MESSAGE: line }),
  'JSON of a logger': (line, container) =>
    `${container}-1  | ${JSON.stringify({ level: 30, time: 1_795_254_963_123, msg: line })}`,
}

/** Returns what is written of lines with `--redact credentials`. */
function shown(lines: readonly string[], format: OutputFormat): string {
  return bytesWritten(
    format,
    (output) => {
      const reader = new RecordReader({ file: 'app.log', sink: output })
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      reader.read({ bytes, firstLine: 1, offset: 0, isEnd: true })
    },
    { redact: ['credentials'] },
  ).toString()
}

const cases = Object.keys(envelopes).flatMap((envelope) => Object.keys(keys).map((key) => [key, envelope] as const))

describe('--redact credentials', () => {
  it.each(cases)('writes no line of a private key of %s whose lines are in %s', (key, envelope) => {
    const wrap = envelopes[envelope]!
    const [begin = '', ...others] = keys[key]!
    // Another container writes between the lines of the key.
    const between = others.map((_, index) => `other line ${index} of b`)
    const lines = [
      wrap('starting a', 'a'),
      wrap(begin, 'a'),
      ...others.flatMap((line, index) => [wrap(between[index]!, 'b'), wrap(line, 'a')]),
      wrap('the key is loaded', 'a'),
    ]
    for (const format of outputFormats) {
      const text = shown(lines, format)
      for (const line of [begin, ...others].filter((line) => line !== ''))
        expect(`${format}: ${text}`).not.toContain(line.slice(0, 12))
      expect(text).toContain('[REDACTED]')
      for (const line of ['starting a', ...between, 'the key is loaded']) expect(text).toContain(line)
    }
  })

  it.each(Object.keys(envelopes))(
    'writes no whole line of a private key whose first line was skipped, in %s',
    (name) => {
      const body = keys['PKCS #8']!.slice(4, -2)
      for (const format of outputFormats) {
        const text = shown(
          ['before', ...body, 'after'].map((line) => envelopes[name]!(line, 'a')),
          format,
        )
        for (const line of body) expect(`${format}: ${text}`).not.toContain(line)
        for (const line of ['before', 'after']) expect(text).toContain(line)
      }
    },
  )

  it('shows what follows the start of a key that has no end', () => {
    const wrap = envelopes['docker json-file']!
    const later = Array.from({ length: 400 }, (_, index) => `line ${index} after a key that was cut, in other words`)
    const text = shown(
      ['-----BEGIN PRIVATE KEY-----', 'MIIE', ...later, 'end of the log'].map((line) => wrap(line, 'a')),
      'line',
    )
    expect(text).not.toContain('MIIE')
    expect(text).toContain('end of the log')
    const record = '{"level":30,"time":1795254963123,"msg":"a record of a logger"}'
    const lines = ['-----BEGIN PRIVATE KEY-----', 'MIIE', record].map((line) => wrap(line, 'a'))
    expect(shown(lines, 'line')).toContain('a record of a logger')
  })

  it('keeps checksums in hexadecimal digits', () => {
    const digest = 'b1946ac92492d2347c6235b4d2611184f1946ac92492d2347c6235b4d2611184'
    expect(shown([dockerLine(`${digest}\n`), digest], 'line')).toContain(`${digest}\n`)
  })
})
