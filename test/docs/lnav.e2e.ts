import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestLogger } from '../support/files/test-logger.ts'
import { needs } from '../support/needs.ts'

const format = fileURLToPath(new URL('../../docs/examples/lnav/sluice.json', import.meta.url))
const withLnav = needs('lnav', spawnSync('lnav', ['-V']).status === 0)
const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
let folder: string

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  folder = mkdtempSync(join(tmpdir(), 'sluice-lnav-'))
  const { log, exporter } = createTestLogger({
    name: 'checkout',
    levels: { notice: 10 },
    resource: { 'service.name': 'shop' },
    clock: () => Date.UTC(2026, 10, 21, 9, 56, 3, 123),
  })
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) log[level](`at ${level}`)
  context.with(trace.setSpanContext(context.active(), span), () => {
    log.notice('order {orderId} placed', { orderId: 42, user: { id: 'u-7' } })
  })
  log.error('failed', new Error('no route'))
  writeFileSync(join(folder, 'app.log'), exporter.text())
})

afterAll(() => {
  context.disable()
  rmSync(folder, { recursive: true })
})

function lnav(...args: readonly string[]): string {
  const env = { ...process.env, HOME: folder, TZ: 'UTC', LANG: 'C.UTF-8' }
  return execFileSync('lnav', args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** lnav returns a JSON object as text. */
function attributesOf(row: Record<string, unknown>): unknown {
  return JSON.parse(String(row['attributes']))
}

describe('the format for lnav', () => {
  withLnav('is installed by lnav, and shows level, time, message and trace of records', () => {
    lnav('-i', format)
    const columns = 'log_level, log_time, log_body, trace_id, span_id, "service.name", "otel.scope.name", attributes'
    const query = `;SELECT ${columns} FROM sluice_log ORDER BY log_line`
    const rows = JSON.parse(lnav('-n', '-c', query, '-c', ':write-json-to -', 'app.log')) as Record<string, unknown>[]
    expect(rows.slice(0, 6).map((row) => [row['log_level'], row['log_body']])).toEqual([
      ['trace', 'at trace'],
      ['debug', 'at debug'],
      ['info', 'at info'],
      ['warning', 'at warn'],
      ['error', 'at error'],
      ['fatal', 'at fatal'],
    ])
    expect({ ...rows[6], attributes: attributesOf(rows[6]!) }).toEqual({
      log_level: 'notice',
      log_time: '2026-11-21 09:56:03.123',
      log_body: 'order 42 placed',
      trace_id: span.traceId,
      span_id: span.spanId,
      'service.name': 'shop',
      'otel.scope.name': 'checkout',
      attributes: { orderId: 42, user: { id: 'u-7' } },
    })
    expect(attributesOf(rows[7]!)).toMatchObject({ 'exception.type': 'Error', 'exception.message': 'no route' })
    expect(rows).toHaveLength(8)
    const lines = lnav('-n', 'app.log').split('\n')
    expect(lines[0]).toBe('2026-11-21T09:56:03.123 TRACE at trace')
  })
})
