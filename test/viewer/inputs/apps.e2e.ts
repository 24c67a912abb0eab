import { expect } from '@jest/globals'
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../support/wait-until.ts'
import { apps, StartedViewer, withBuild } from './started-viewer.ts'

withBuild('apps of OpenTelemetry, pino, winston, sluice and the console are seen with their levels', async () => {
  const names = readdirSync(apps).filter((name) => name !== 'twice.cjs')
  // One program that runs all of them, until its standard input ends.
  const script = `
    const { spawn } = require('node:child_process')
    for (const name of ${JSON.stringify(names)}) spawn(process.execPath, [${JSON.stringify(apps)} + '/' + name], { stdio: 'inherit' })
    process.stdin.resume()
  `
  const viewer = new StartedViewer(['--', process.execPath, '--eval', script])
  viewer.child.stdout.resume()
  await viewer.untilRecords(14)
  const records = await viewer.records()
  viewer.child.stdin.end()
  await expect(viewer.exitCode).resolves.toBe(0)
  const found = records.map(({ level, message }) => `${level} ${message.replace(/\(node:\d+\)/, '(node)')}`)
  expect(found.toSorted()).toEqual(
    [
      'error sdk: payment failed',
      'info sdk: started',
      'info pino: started',
      'debug pino: details',
      'error pino: no price',
      'info winston: started',
      'warn winston: slow',
      'error winston: simple failure',
      'info sluice: 3 orders',
      'warn sluice: slow',
      'info console: started { port: 3000 }',
      'error console: failed RangeError: too many',
      'warn (node) [DEP9001] DeprecationWarning: console: old option',
      'warn (Use `node --trace-deprecation ...` to show where the warning was created)',
    ].toSorted(),
  )
  const attribute = (message: string, name: string) =>
    records.find((record) => record.message.startsWith(message))!.attributes.get(name)
  expect(attribute('sdk: payment', 'order')).toBe('17')
  expect(attribute('pino: started', 'tenant')).toBe('acme')
  expect(attribute('pino: no price', 'exception.type')).toBe('TypeError')
  expect(attribute('console: failed', 'exception.stacktrace')).toMatch(
    /^RangeError: too many\n {4}at Object\.<anonymous> \(.*console\.cjs:2:\d+\)\n/,
  )
})

withBuild('records that an app writes and sends are shown once, and counted', async () => {
  const script = `
    const { spawn } = require('node:child_process')
    spawn(process.execPath, [${JSON.stringify(join(apps, 'twice.cjs'))}], { stdio: 'inherit' })
      .once('exit', () => console.log('the app has ended'))
    process.stdin.resume()
  `
  const viewer = new StartedViewer(['--', process.execPath, '--eval', script])
  viewer.child.stdout.resume()
  let duplicates = 0
  const close = await viewer.openPage((state) => ({ duplicates } = state))
  await waitUntil(() => duplicates === 47)
  const all = await viewer.records()
  const records = all.filter(({ message }) => message.startsWith('round'))
  for (const text of ['order placed', 'order delayed'])
    expect(all.filter(({ message }) => message === text)).toHaveLength(1)
  close()
  viewer.child.stdin.end()
  await viewer.exitCode
  const expected = Array.from({ length: 45 }, (_, index) => `round ${Math.floor(index / 3)}`)
  expect(records.map(({ message }) => message).toSorted()).toEqual(expected.toSorted())
  // After the first ones, those of OTLP are shown, because they have a resource.
  const sent = records.filter(({ resource }) => resource.get('service.name') === 'twice')
  expect(sent.length).toBeGreaterThan(20)
})

withBuild('records that arrive at standard input are shown', async () => {
  const viewer = new StartedViewer([])
  const app = spawn(process.execPath, [join(apps, 'pino.cjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  app.stdout.pipe(viewer.child.stdin)
  const records = await viewer.untilRecords(3)
  expect(records.map(({ level, message }) => [level, message])).toEqual([
    ['info', 'pino: started'],
    ['debug', 'pino: details'],
    ['error', 'pino: no price'],
  ])
  viewer.child.kill('SIGINT')
  await expect(viewer.exitCode).resolves.toBe(130)
})
