import { expect, test } from '@jest/globals'
import { compareAge, RotatedFileNames } from '../../../src/read/follow/rotated-file-names.ts'

test.each([
  'app.log.1',
  'app.log.12.gz',
  'app.log-20261121',
  'app.log-20261121.zst',
  'app.log.2026-11-21.br',
  'app.2026-11-21T10-00-00-000Z.log',
  'app.2026-11-21T10-00-00-000Z.log.gz',
  'app.1.log',
  'app-2026-11-21_1.log.gz',
  '20261121-1000-01-app.log',
  'app.log.old',
  'app.log.gz',
])('%s is a name of a rotated app.log', (name) => {
  expect(new RotatedFileNames('app.log').matches(name)).toBe(true)
})

test.each([
  'app.log',
  'app.log.lock',
  'app-error.log',
  'app2-error.log.1',
  'application.log.1',
  'my-app.log',
  'app.txt.1',
  '.app.log.rotation',
])('%s is not a name of a rotated app.log', (name) => {
  expect(new RotatedFileNames('app.log').matches(name)).toBe(false)
})

test('finds the other files of a numbered file to which a link leads', () => {
  const names = new RotatedFileNames('app.3.log', true)
  expect(['app.1.log', 'app.2.log', 'app.3.log', 'app.4.log.gz'].filter((name) => names.matches(name))).toEqual([
    'app.1.log',
    'app.2.log',
    'app.4.log.gz',
  ])
})

test('finds rotated files of a log without an extension', () => {
  const names = new RotatedFileNames('syslog')
  expect(['syslog.1', 'syslog.2.gz', 'syslog', 'syslogd.1'].filter((name) => names.matches(name))).toEqual([
    'syslog.1',
    'syslog.2.gz',
  ])
})

test('orders numbered names by descending number, and dated names by date', () => {
  const numbered = ['app.log.1', 'app.log.10.gz', 'app.log.2']
  expect(numbered.toSorted(compareAge)).toEqual(['app.log.10.gz', 'app.log.2', 'app.log.1'])
  const dated = ['app.log-20261122', 'app.log-20261120', 'app.log-20261121.gz']
  expect(dated.toSorted(compareAge)).toEqual(['app.log-20261120', 'app.log-20261121.gz', 'app.log-20261122'])
})
